package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Remedies by name. Those that out-of-memory messages know too keep their names and texts; the others are in the bundle of
 * findings. Nothing can be done at once: a recording is of a process that is gone.
 */
public final class HistoryRemedies {
    public static final Remedy DROP_REFERENCES = plain("drop-references");
    public static final Remedy FREE_SOONER = plain("free-sooner");
    public static final Remedy ALLOCATE_LATER = plain("allocate-later");
    public static final Remedy SYNCHRONISE_SOONER = plain("synchronise-sooner");
    public static final Remedy SET_TO_NONE = command("set-to-none", "optimizer.zero_grad(set_to_none=True)");
    public static final Remedy EMPTY_CACHE = new Remedy(
            "empty-cache",
            Text.of("remedy.empty-cache.title.recorded"),
            Optional.of("torch.cuda.empty_cache()"),
            Text.of("remedy.empty-cache.why.recorded"),
            new Remedy.LiveAction.None(),
            OptionalLong.empty());
    public static final Remedy RAISE_LIMIT = Remedy.manual(
                    "raise-limit", Optional.empty(), Text.of("remedy.raise-limit.why.recorded"))
            .titled(Text.of("remedy.raise-limit.title.recorded"));
    public static final Remedy FEWER_STREAMS = plain("fewer-streams");
    public static final Remedy LONG_LIVED_FIRST = plain("long-lived-first");
    public static final Remedy OFFLOAD = plain("offload");
    public static final Remedy SWAP = plain("swap");
    public static final Remedy RECOMPUTE = plain("recompute");
    public static final Remedy SMALLER_MICRO_BATCH = plain("smaller-micro-batch");
    public static final Remedy BUCKET_LENGTHS = plain("bucket-lengths");

    private static final Remedy EXPANDABLE_SEGMENTS =
            command("expandable-segments", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
    private static final Remedy OPTIMISATION = new Remedy(
            "optimisation-on",
            Text.of("remedy.optimisation-on.title"),
            Optional.empty(),
            Text.of("remedy.optimisation-on.why.recorded"),
            new Remedy.LiveAction.TurnOptimisationOn(),
            OptionalLong.empty());

    private HistoryRemedies() {}

    /** Against pieces that are too small: what applies to this recording, then these. */
    public static List<Remedy> againstSplitting(HistoryEvidence evidence, Remedy... more) {
        List<Remedy> remedies = new ArrayList<>();
        if (!evidence.optimised()) {
            remedies.add(OPTIMISATION);
        }
        if (!evidence.expands()) {
            remedies.add(EXPANDABLE_SEGMENTS);
        }
        remedies.addAll(List.of(more));
        return remedies;
    }

    private static Remedy plain(String id) {
        return remedy(id, Optional.empty());
    }

    private static Remedy command(String id, String command) {
        return remedy(id, Optional.of(command));
    }

    private static Remedy remedy(String id, Optional<String> command) {
        return Remedy.manual(id, command, Remedy.whyOf(id));
    }
}
