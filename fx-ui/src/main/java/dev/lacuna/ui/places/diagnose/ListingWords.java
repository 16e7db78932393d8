package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.ListingVerdict;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the place shows of a table of memory that stands alone, in the language of the window.
 *
 * @param picture the table as bars
 * @param findings what it says
 * @param next what to do next, best first
 */
record ListingWords(ListingPicture picture, List<FindingWords> findings, List<RemedyWords> next) {
    ListingWords {
        findings = List.copyOf(findings);
        next = List.copyOf(next);
    }

    static ListingWords of(ListingVerdict verdict) {
        return new ListingWords(
                ListingPicture.of(verdict.listing()),
                verdict.findings().stream().map(FindingWords::across).toList(),
                verdict.next().stream()
                        .map(step -> RemedyWords.of(step, OptionalLong.empty()))
                        .toList());
    }
}
