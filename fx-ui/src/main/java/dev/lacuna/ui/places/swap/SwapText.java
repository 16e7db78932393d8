package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;

/** Figures and actions in words, one way for the whole place. */
public final class SwapText {
    static final Texts TEXTS = Texts.of("swap");

    private static final double NS_PER_MS = 1e6;

    /** From here on the digits of milliseconds tell nothing any more. */
    private static final double FIRST_IN_SECONDS = 10_000;

    private SwapText() {}

    /** Such as {@code 12.4 ms}, {@code 0.05 ms}, {@code 1,240 ms} or {@code 12.4 s}. */
    public static String milliseconds(double ns) {
        double ms = ns / NS_PER_MS;
        if (ms >= FIRST_IN_SECONDS) {
            return String.format(Locale.ROOT, "%.1f s", ms / 1000);
        }
        String pattern = ms >= 100 ? "%,.0f ms" : ms >= 0.1 || ms == 0 ? "%.1f ms" : "%.2f ms";
        return String.format(Locale.ROOT, pattern, ms);
    }

    /** Rates are decimal: such as {@code 5.1 GB/s} or {@code 240 MB/s}. */
    public static String rate(double bytesPerSecond) {
        return bytesPerSecond >= 1e9
                ? String.format(Locale.ROOT, "%.1f GB/s", bytesPerSecond / 1e9)
                : String.format(Locale.ROOT, "%.0f MB/s", bytesPerSecond / 1e6);
    }

    /** What is done with a layer, in the window's language. */
    static String action(LayerAction action) {
        return TEXTS.get("action." + action.name().toLowerCase(Locale.ROOT));
    }

    /** A rule's name as its paper writes it; its own word where we know none. */
    static String rule(String word) {
        return TEXTS.has("rule." + word + ".name") ? TEXTS.get("rule." + word + ".name") : word;
    }

    /** What a change does, in the window's language. */
    static String description(SwapChange change, boolean undoing) {
        String what;
        if (change instanceof SwapChange.Mode mode) {
            what = TEXTS.get("change.mode." + mode.mode().label());
        } else if (change instanceof SwapChange.Budget budget) {
            what = TEXTS.get("change.budget", ByteText.of(budget.bytes()));
        } else if (change instanceof SwapChange.Fraction fraction) {
            what = TEXTS.get("change.fraction", String.format(Locale.ROOT, "%.2f", fraction.fraction()));
        } else {
            LayerOrders orders = ((SwapChange.Layers) change).orders();
            what = orders.rule()
                    .map(rule -> TEXTS.get("change.rule", rule(rule)))
                    .orElseGet(() -> TEXTS.get(orders.policy().isPresent() ? "change.policy" : "change.policy.none"));
        }
        return undoing ? TEXTS.get("change.undo", what) : what;
    }

    static Painting.Tone tone(LayerAction action) {
        return switch (action) {
            case KEEP -> Painting.Tone.KEEP;
            case SWAP -> Painting.Tone.SWAP;
            case RECOMPUTE -> Painting.Tone.RECOMPUTE;
        };
    }
}
