package dev.lacuna.core.diagnosis;

import dev.lacuna.core.diagnosis.model.CrossFinding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.rule.CrossRule;
import dev.lacuna.core.diagnosis.rule.FirstToFailRule;
import dev.lacuna.core.diagnosis.rule.GrowthRule;
import dev.lacuna.core.diagnosis.rule.ImbalanceRule;
import dev.lacuna.core.diagnosis.rule.SameSizeRule;
import java.util.List;

/** What several reports, or the steps printed around them, tell together. */
public final class CrossFindings {
    private static final List<CrossRule> RULES =
            List.of(new FirstToFailRule(), new ImbalanceRule(), new SameSizeRule(), new GrowthRule());

    private CrossFindings() {}

    /** Everything found across these logs, which are those of one run. */
    public static List<CrossFinding> of(List<JudgedLog> logs) {
        return RULES.stream().flatMap(rule -> rule.judge(logs).stream()).toList();
    }
}
