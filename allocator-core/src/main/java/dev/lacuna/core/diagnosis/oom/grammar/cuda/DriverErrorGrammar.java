package dev.lacuna.core.diagnosis.oom.grammar.cuda;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/**
 * The name of the driver's error with nothing behind it, as programs in C, Rust and others print it: {@code API error 0002
 * ("CUDA_ERROR_OUT_OF_MEMORY")}, {@code cuMemAlloc failed with error CUDA_ERROR_OUT_OF_MEMORY}. Nothing tells of a pool.
 */
public final class DriverErrorGrammar implements OomGrammar {
    private static final List<String> NAMES = List.of("cuda_error_out_of_memory", "hip_error_out_of_memory");
    private static final List<String> TOLD = List.of("fail", "error", "return", "code", "exception", "result");
    private static final int LINE = 56;
    private static final int AROUND = 400;

    @Override
    public List<String> anchors() {
        return NAMES;
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        int end = anchor
                + NAMES.stream()
                        .filter(name -> lower.startsWith(name, anchor))
                        .mapToInt(String::length)
                        .findFirst()
                        .orElseThrow();
        String before = lower.substring(Math.max(0, anchor - LINE), anchor);
        String around = lower.substring(Math.max(0, anchor - AROUND), Math.min(lower.length(), end + AROUND));
        boolean word =
                anchor > 0 && (Character.isLetterOrDigit(lower.charAt(anchor - 1)) || lower.charAt(anchor - 1) == '_');
        boolean defined = end < lower.length() && "=,|_".indexOf(lower.charAt(end)) >= 0;
        boolean ours = around.contains("torch") || around.contains("tensorflow") || around.contains("jax");
        if (word || defined || ours || TOLD.stream().noneMatch(before::contains)) {
            return Optional.empty();
        }
        String who = around.contains("drjit") || around.contains("mitsuba") ? "drjit" : "cuda";
        return Optional.of(new ReportDraft(Framework.OTHER, before.endsWith("(\"") ? anchor - 2 : anchor)
                .by(who)
                .claims(Claim.OUTSIDE_ALLOCATION)
                .upTo(end));
    }
}
