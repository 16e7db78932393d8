package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;

/** What should be known of a trace that was replayed, in the language of the window. */
final class TraceNote {
    private static final Texts TEXTS = Texts.of("whatif");

    private TraceNote() {}

    /** That it ended early, or that rows of it make no sense; empty where it is whole. */
    static String of(List<ReplayResult> results) {
        String cut = results.stream().anyMatch(ReplayResult::truncated) ? TEXTS.get("truncated") : "";
        Optional<OddRows> odd = results.stream()
                .map(ReplayResult::odd)
                .filter(rows -> rows.count() > 0)
                .findFirst();
        String left = odd.map(rows -> TEXTS.get("odd", rows.count(), rows.firstText()))
                .orElse("");
        return (cut + " " + left).strip();
    }
}
