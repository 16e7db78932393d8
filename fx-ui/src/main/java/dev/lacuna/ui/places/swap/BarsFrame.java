package dev.lacuna.ui.places.swap;

import java.util.List;

/**
 * All that one picture of bars shows. Immutable. Places along the width are shares of it, 0 to 1; heights are in the unit of
 * the axis, bars below the axis too.
 *
 * @param bars from the left
 * @param top what the upper edge stands for, ≥ 0
 * @param bottom what the lower edge stands for, ≥ 0: how far below the axis it lies
 * @param levels words beside grid lines, by height; below the axis negative
 * @param places words below the picture
 * @param signs marked places, from the left
 */
public record BarsFrame(
        List<Bar> bars, double top, double bottom, List<Tick> levels, List<Tick> places, List<Sign> signs) {

    /**
     * One bar.
     *
     * @param from its left edge
     * @param to its right edge
     * @param up its pieces above the axis, from the axis upwards
     * @param down its piece below the axis
     */
    public record Bar(double from, double to, List<Double> up, double down) {
        /** Whether there is anything to see. */
        boolean isEmpty() {
            return down <= 0 && up.stream().allMatch(piece -> piece <= 0);
        }
    }

    /**
     * Words at a grid line or below a place.
     *
     * @param at where
     * @param words what
     */
    public record Tick(double at, String words) {}

    /**
     * A marked place.
     *
     * @param at where
     * @param kind what happened
     * @param words a word for it; empty for none
     */
    public record Sign(double at, SwapHistory.Kind kind, String words) {}

    public BarsFrame {
        bars = List.copyOf(bars);
        levels = List.copyOf(levels);
        places = List.copyOf(places);
        signs = List.copyOf(signs);
    }

    /** Whether no bar has any height. */
    public boolean isEmpty() {
        return bars.stream().allMatch(Bar::isEmpty);
    }

    /** A round number, 1, 2 or 5 times a power of ten, at or above a value. */
    static double roundAtLeast(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
        for (double factor : new double[] {1, 2, 5, 10}) {
            if (value <= factor * power * (1 + 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
