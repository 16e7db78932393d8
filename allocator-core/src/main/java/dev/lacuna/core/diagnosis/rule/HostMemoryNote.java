package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.List;
import java.util.Set;

/** It was the host's memory that ran out: everything about devices is beside the point. */
public final class HostMemoryNote implements Rule<Verdict> {
    static final String ID = "host-memory";

    /** What acts before memory has run out. */
    private static final Set<String> DAEMONS = Set.of("earlyoom", "systemd-oomd");

    private static final Set<String> RUN_ON_BOTH = Set.of("ollama", "llama.cpp");

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        boolean own = e.claims(Claim.MAPPINGS)
                || e.report().library().filter("java"::equals).isPresent();
        if (!e.claims(Claim.HOST_MEMORY) || own) { // Its own limit was hit: the host may have had room.
            return List.of();
        }
        if (isGuess(e)) {
            return List.of(Finding.of(ID, Text.of("finding.host-memory.killed")).sure(Confidence.LOW));
        }
        if (opensDeviceToo(e)) {
            return List.of(Finding.of(ID, Text.of("finding.host-memory.pinned")).sure(Confidence.LOW));
        }
        // What runs a model on both moves layers from one to the other.
        String by = e.report().library().orElse("");
        String key = RUN_ON_BOTH.contains(by) ? ".layers" : DAEMONS.contains(by) ? ".short" : "";
        Text text = Text.of("finding.host-memory" + key);
        return List.of(Finding.of(ID, text));
    }

    /** Whether CUDA's bare error came from the thread that pins: it opens the device, too, and prints the same where that is full. */
    public static boolean opensDeviceToo(Evidence e) {
        return e.claims(Claim.PINNED)
                && e.report().framework() == Framework.PYTORCH_CUDA
                && e.tried().isEmpty();
    }

    /** Whether only a process's end by signal 9 speaks of memory. */
    private static boolean isGuess(Evidence e) {
        return e.claims(Claim.KILLED) && !e.claims(Claim.LIMIT) && !e.claims(Claim.EXHAUSTED);
    }
}
