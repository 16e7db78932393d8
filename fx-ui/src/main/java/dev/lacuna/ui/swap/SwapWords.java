package dev.lacuna.ui.swap;

import dev.lacuna.core.swap.layer.LayerAction;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;

/** Figures and actions in words, one way for the whole place. */
final class SwapWords {
    static final Texts TEXTS = Texts.of("swap");

    private static final double NS_PER_MS = 1e6;

    private SwapWords() {}

    /** Such as {@code 12.4 ms}, {@code 0.05 ms} or {@code 1,240 ms}. */
    static String milliseconds(double ns) {
        double ms = ns / NS_PER_MS;
        String pattern = ms >= 100 ? "%,.0f ms" : ms >= 0.1 || ms == 0 ? "%.1f ms" : "%.2f ms";
        return String.format(Locale.ROOT, pattern, ms);
    }

    /** Rates are decimal: such as {@code 5.1 GB/s} or {@code 240 MB/s}. */
    static String rate(double bytesPerSecond) {
        return bytesPerSecond >= 1e9
                ? String.format(Locale.ROOT, "%.1f GB/s", bytesPerSecond / 1e9)
                : String.format(Locale.ROOT, "%.0f MB/s", bytesPerSecond / 1e6);
    }

    /** What is done with a layer, in the window's language. */
    static String action(LayerAction action) {
        return TEXTS.get("action." + action.name().toLowerCase(Locale.ROOT));
    }

    static Painting.Tone tone(LayerAction action) {
        return switch (action) {
            case KEEP -> Painting.Tone.KEEP;
            case SWAP -> Painting.Tone.SWAP;
            case RECOMPUTE -> Painting.Tone.RECOMPUTE;
        };
    }
}
