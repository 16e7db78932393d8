package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.Change;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
record Verdict(
        OomReport report,
        String where,
        String cause,
        String badge,
        String confidence,
        String headline,
        String needed,
        Finding reason,
        List<Finding> findings,
        List<Remedy> remedies) {

    Verdict {
        findings = List.copyOf(findings);
        remedies = List.copyOf(remedies);
    }

    /**
     * A number with its name.
     *
     * @param name what it is
     * @param text such as {@code 2.73 GiB}
     * @param exact every digit
     * @param style colour of its meaning, such as {@code gap}; empty for none
     */
    record Figure(String name, String text, String exact, String style) {}

    /**
     * One thing that was found.
     *
     * @param id the rule's id
     * @param sentence what, with the numbers
     * @param figures the numbers that it rests on
     * @param grave whether it speaks of a fault that can be mended; the others inform
     */
    record Finding(String id, String sentence, List<Figure> figures, boolean grave) {
        Finding {
            figures = List.copyOf(figures);
        }
    }

    /**
     * One thing to do.
     *
     * @param id its stable id
     * @param title what
     * @param why one or two sentences
     * @param terms what it can free, what it costs and what it does not go with, a sentence each
     * @param command what to type or set, if it is that
     * @param change what can be applied to an attached process, if it is that
     * @param deviceBytes size of the device that the change was computed for; empty where it fits any
     */
    record Remedy(
            String id,
            String title,
            String why,
            List<String> terms,
            Optional<String> command,
            Optional<Change> change,
            OptionalLong deviceBytes) {
        Remedy {
            terms = List.copyOf(terms);
        }
    }
}
