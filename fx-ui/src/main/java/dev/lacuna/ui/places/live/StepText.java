package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.StepWindow;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;

/** Which steps a figure is of, in the window's language. */
final class StepText {
    private static final Texts TEXTS = Texts.of("live");

    private StepText() {}

    /** Such as {@code steps 101–120}, or {@code 20 steps between 101 and 180} where not every one was seen. */
    static String of(StepWindow window) {
        long all = window.lastStep() - window.firstStep() + 1;
        String key = all == 1 ? "steps.one" : all == window.steps() ? "steps.all" : "steps.some";
        return TEXTS.get(key, window.firstStep(), window.lastStep(), window.steps());
    }

    /** The same, or that the trainer marks no steps. */
    static String of(Optional<StepWindow> window) {
        return window.map(StepText::of).orElseGet(() -> TEXTS.get("steps.none"));
    }
}
