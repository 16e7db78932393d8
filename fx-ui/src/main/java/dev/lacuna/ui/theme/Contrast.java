package dev.lacuna.ui.theme;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javafx.scene.paint.Color;

/** How far colours are apart, by the formula of WCAG 2 (W3C, 2008): 1 for the same, 21 for black on white. */
final class Contrast {
    /** What a line, a hatch or an edge needs to be seen on its ground (WCAG 2.1, 1.4.11), and a little for rounding. */
    static final double SEEN = 3.05;

    private static final int STEPS = 50;

    private Contrast() {}

    /** The contrast of two colours, 1 to 21. */
    static double of(Color one, Color other) {
        double a = luminance(one);
        double b = luminance(other);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    /** The colour itself, or as little darker or lighter as it takes to be seen on all of these grounds. */
    static Color readable(Color colour, Color... grounds) {
        Color pole = List.of(Color.BLACK, Color.WHITE).stream()
                .max(Comparator.comparingDouble(p -> least(p, grounds)))
                .orElseThrow();
        Color moved = colour;
        for (int i = 0; !isSeen(moved, grounds) && i <= STEPS; i++) {
            moved = written(colour.interpolate(pole, (double) i / STEPS));
        }
        return moved;
    }

    /** Whether a colour can be seen on all of these grounds. */
    static boolean isSeen(Color colour, Color... grounds) {
        return least(colour, grounds) >= SEEN;
    }

    /** The colour as a style sheet holds it, in 256 steps a channel. */
    static Color written(Color colour) {
        return Color.web(hex(colour));
    }

    /** As {@code #rrggbb}. */
    static String hex(Color colour) {
        return "#%02x%02x%02x"
                .formatted(
                        Math.round(colour.getRed() * 255),
                        Math.round(colour.getGreen() * 255),
                        Math.round(colour.getBlue() * 255));
    }

    private static double least(Color colour, Color... grounds) {
        return Arrays.stream(grounds)
                .mapToDouble(ground -> of(colour, ground))
                .min()
                .orElse(SEEN);
    }

    private static double luminance(Color colour) {
        return 0.2126 * linear(colour.getRed())
                + 0.7152 * linear(colour.getGreen())
                + 0.0722 * linear(colour.getBlue());
    }

    private static double linear(double channel) {
        return channel <= 0.04045 ? channel / 12.92 : Math.pow((channel + 0.055) / 1.055, 2.4);
    }
}
