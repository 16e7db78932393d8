package dev.lacuna.core.diagnosis;

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
