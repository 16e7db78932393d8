package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The pool holds more than the card has: Windows drivers spill over into the host's memory. */
public final class SpillNote implements NoteRule {
    public static final String ID = "spilled";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        OptionalLong reserved = e.report().reservedBytes();
        if (reserved.isEmpty()
                || e.total().isEmpty()
                || reserved.getAsLong() <= e.total().getAsLong()) {
            return Optional.empty();
        }
        long more = reserved.getAsLong() - e.total().getAsLong();
        return Optional.of(new Finding(
                ID,
                Text.of(
                        "finding.spilled",
                        Text.size(reserved.getAsLong()),
                        Text.size(e.total().getAsLong())),
                List.of(new Finding.Figure("spilled", more)),
                Confidence.HIGH));
    }
}
