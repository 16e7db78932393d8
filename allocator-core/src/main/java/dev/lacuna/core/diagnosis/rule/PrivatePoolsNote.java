package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;

/** PyTorch counted what its private pools keep free as allocated; the figures here are corrected. */
public final class PrivatePoolsNote implements Rule<Verdict> {
    static final String ID = "private-pools";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        Long bytes = e.report().amounts().get(Quantity.PRIVATE_POOLS);
        return bytes == null
                ? List.of()
                : List.of(Finding.of(ID, Text.of("finding.private-pools", Text.size(bytes)))
                        .with("private_pools", bytes));
    }
}
