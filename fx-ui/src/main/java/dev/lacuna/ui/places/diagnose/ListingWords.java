package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the place shows of a table of memory that stands alone, in the language of the window.
 *
 * @param picture the table as bars
 * @param findings what it says
 * @param next what to do next, best first
 */
record ListingWords(ListingPicture picture, List<Verdict.Finding> findings, List<Verdict.Remedy> next) {
    ListingWords {
        findings = List.copyOf(findings);
        next = List.copyOf(next);
    }

    static ListingWords of(ListingVerdict verdict) {
        return new ListingWords(
                ListingPicture.of(verdict.listing()),
                verdict.findings().stream().map(VerdictText::across).toList(),
                verdict.next().stream()
                        .map(step -> VerdictText.remedy(step, OptionalLong.empty(), Texts.locale()))
                        .toList());
    }
}
