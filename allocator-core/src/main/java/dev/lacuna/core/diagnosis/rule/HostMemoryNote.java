package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Optional;

/** It was the host's memory that ran out: everything about devices is beside the point. */
public final class HostMemoryNote implements NoteRule {
    static final String ID = "host-memory";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        return e.claims(Claim.HOST_MEMORY)
                ? Optional.of(new Finding(ID, Text.of("finding.host-memory"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
