package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;

/**
 * One thing that a rule found.
 *
 * @param id stable name of the rule, also in message keys
 * @param weight how much it matters
 * @param title what it is, in a few words
 * @param text what exactly, with the numbers
 * @param bytes what is at stake
 * @param moment where to look, 0 … the size of the history
 * @param subject what to select there
 * @param remedies what to do about it, best first
 */
public record HistoryFinding(
        String id,
        Weight weight,
        Text title,
        Text text,
        long bytes,
        int moment,
        FindingSubject subject,
        List<Remedy> remedies) {
    /** How much a finding matters, heaviest first. */
    public enum Weight {
        /** The run failed there. */
        FAILURE,
        /** Memory that could be saved. */
        WASTE,
        /** Good to know. */
        NOTE
    }

    public HistoryFinding {
        remedies = List.copyOf(remedies);
    }
}
