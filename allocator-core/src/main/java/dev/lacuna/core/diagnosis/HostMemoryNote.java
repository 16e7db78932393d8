package dev.lacuna.core.diagnosis;

import dev.lacuna.core.oom.Claim;
import java.util.List;
import java.util.Optional;

/** It was the host's memory that ran out: everything about devices is beside the point. */
final class HostMemoryNote implements NoteRule {
    static final String ID = "host-memory";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        return e.claims(Claim.HOST_MEMORY)
                ? Optional.of(new Finding(ID, Text.of("finding.host-memory"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
