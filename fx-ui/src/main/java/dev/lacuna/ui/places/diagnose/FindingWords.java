package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.ui.text.Texts;
import java.util.List;

/**
 * A finding in the language of the window. With another language it is another one, so that whoever shows it is told.
 *
 * @param id the rule's id
 * @param sentence what, with the numbers
 * @param figures the numbers that it rests on
 * @param grave whether it speaks of a fault that can be mended; the others inform
 */
record FindingWords(String id, String sentence, List<FigureWords> figures, boolean grave) {
    FindingWords {
        figures = List.copyOf(figures);
    }

    /** Something said of one report. */
    static FindingWords of(Finding finding) {
        return new FindingWords(
                finding.id(),
                sentence(finding),
                finding.figures().stream().map(FigureWords::of).toList(),
                finding.severity() != Finding.Severity.NOTE);
    }

    /** Something said across several reports, whose numbers its sentence has. */
    static FindingWords across(Finding finding) {
        return new FindingWords(finding.id(), sentence(finding), List.of(), false);
    }

    private static String sentence(Finding finding) {
        return DiagnosisText.render(Texts.locale(), finding.explanation());
    }
}
