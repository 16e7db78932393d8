package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;
import java.util.OptionalLong;

/** The pool holds more than the card has: Windows drivers spill over into the host's memory. */
public final class SpillNote implements Rule<Verdict> {
    public static final String ID = "spilled";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        OptionalLong reserved = e.report().reservedBytes();
        if (reserved.isEmpty()
                || e.total().isEmpty()
                || reserved.getAsLong() <= e.total().getAsLong()) {
            return List.of();
        }
        long more = reserved.getAsLong() - e.total().getAsLong();
        return List.of(Finding.of(
                        ID,
                        Text.of(
                                "finding.spilled",
                                Text.size(reserved.getAsLong()),
                                Text.size(e.total().getAsLong())))
                .with("spilled", more));
    }
}
