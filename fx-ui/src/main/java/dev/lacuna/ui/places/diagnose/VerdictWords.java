package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;

/**
 * What the place shows of one out-of-memory report, in the language of the window.
 *
 * @param report the report itself
 * @param where source, line, device and rank
 * @param cause the contract's word for the cause, such as {@code fragmentation}
 * @param badge the cause for people
 * @param confidence how sure the diagnosis is, for people
 * @param headline one sentence
 * @param needed what was needed against what there was; empty where the message does not tell
 * @param reason why the verdict is what it is
 * @param findings what else is worth saying
 * @param remedies what to do, best first
 */
record VerdictWords(
        OomReport report,
        String where,
        String cause,
        String badge,
        String confidence,
        String headline,
        String needed,
        FindingWords reason,
        List<FindingWords> findings,
        List<RemedyWords> remedies) {

    VerdictWords {
        findings = List.copyOf(findings);
        remedies = List.copyOf(remedies);
    }
}
