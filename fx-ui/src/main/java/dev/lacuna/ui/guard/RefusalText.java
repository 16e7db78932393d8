package dev.lacuna.ui.guard;

import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import java.util.Optional;

/** The words of a refusal, in the window's language. */
public final class RefusalText {
    static final Texts TEXTS = Texts.of("guard");

    private RefusalText() {}

    /** Everything that the guard told, in two sentences: the lowest safe value, and how sure that is. */
    public static String figures(GuardRefusal refusal) {
        return refusal.figures()
                .map(figures -> lowest(figures) + " " + sureness(figures))
                .orElseGet(() -> TEXTS.get("lowest.untold"));
    }

    /** The same for a place that cannot show the refusal itself. */
    public static String figures(Optional<GuardFigures> reported) {
        return reported.map(figures -> lowest(figures) + " " + sureness(figures))
                .orElseGet(() -> TEXTS.get("lowest.untold"));
    }

    /** The lowest safe value. */
    static String lowest(GuardFigures figures) {
        if (figures.lowestSafeFraction().isEmpty()) {
            return figures.lowestSafeBytes().isPresent()
                    ? TEXTS.get(
                            "lowest.beyond",
                            ByteText.of(figures.lowestSafeBytes().getAsLong()))
                    : TEXTS.get("lowest.untold");
        }
        // Rounded up: a figure that is shown as safe is safe.
        double upwards = Math.ceil(figures.lowestSafeFraction().getAsDouble() * 10_000 - 1e-9) / 10_000;
        String fraction = String.format(Locale.ROOT, "%.4f", upwards);
        return figures.lowestSafeBytes().isPresent()
                ? TEXTS.get(
                        "lowest",
                        fraction,
                        ByteText.of(figures.lowestSafeBytes().getAsLong()))
                : TEXTS.get("lowest.fraction", fraction);
    }

    /** How sure that is. */
    static String sureness(GuardFigures figures) {
        if (figures.basis().isEmpty()) {
            return TEXTS.get("sure.untold");
        }
        SafeBasis basis = figures.basis().get();
        long steps = figures.steps().orElse(0);
        String key = "sure." + basis.label();
        return steps > 0 ? TEXTS.get(key + ".steps", steps) : TEXTS.get(key);
    }

    /** Why it can be forced no more; empty while it can. */
    static String expiry(GuardRefusal refusal) {
        return refusal.expired().map(why -> TEXTS.get(why.key())).orElse("");
    }
}
