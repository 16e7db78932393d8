package dev.lacuna.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.settings.Meaning;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import java.util.List;
import java.util.stream.Stream;
import javafx.scene.paint.Color;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The colours of the two palettes stay apart for the eyes that they are meant for, measured: through the model of Machado, Oliveira and
 * Fernandes (IEEE TVCG 15(6), 2009; severity 1.0, on linear RGB), as distance in CIELAB (CIE 1976, white D65).
 */
class ColourVisionTest {
    /** Ten times what can just be noticed (2.3). */
    private static final double APART = 23;

    private enum Eye {
        COMMON(1, 0, 0, 0, 1, 0, 0, 0, 1),
        PROTAN(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
        DEUTAN(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
        TRITAN(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900);

        private final double[] matrix;

        Eye(double... matrix) {
            this.matrix = matrix;
        }

        double[] lab(Color colour) {
            double[] rgb = {linear(colour.getRed()), linear(colour.getGreen()), linear(colour.getBlue())};
            double[] seen = times(matrix, rgb);
            for (int i = 0; i < seen.length; i++) {
                seen[i] = Math.max(0, Math.min(1, seen[i]));
            }
            double[] xyz = times(new double[] {.4124, .3576, .1805, .2126, .7152, .0722, .0193, .1192, .9505}, seen);
            double x = root(xyz[0] / 0.95047);
            double y = root(xyz[1]);
            double z = root(xyz[2] / 1.08883);
            return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
        }

        private static double[] times(double[] m, double[] v) {
            double[] product = new double[3];
            for (int i = 0; i < 9; i++) {
                product[i / 3] += m[i] * v[i % 3];
            }
            return product;
        }

        private static double linear(double channel) {
            return channel <= 0.04045 ? channel / 12.92 : Math.pow((channel + 0.055) / 1.055, 2.4);
        }

        private static double root(double t) {
            return t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116;
        }
    }

    @ParameterizedTest
    @EnumSource(Appearance.class)
    void red_and_green_seen_alike_leave_all_meanings_apart(Appearance theme) {
        for (Eye eye : List.of(Eye.COMMON, Eye.PROTAN, Eye.DEUTAN)) {
            assertThat(least(PaletteChoice.RED_GREEN, theme, eye)).as("%s", eye).isGreaterThan(APART);
        }
    }

    @ParameterizedTest
    @EnumSource(Appearance.class)
    void blue_and_yellow_seen_alike_leave_all_meanings_apart(Appearance theme) {
        for (Eye eye : List.of(Eye.COMMON, Eye.TRITAN)) {
            assertThat(least(PaletteChoice.BLUE_YELLOW, theme, eye))
                    .as("%s", eye)
                    .isGreaterThan(APART);
        }
    }

    @Test
    void the_standard_palette_would_not_do() {
        assertThat(least(PaletteChoice.OWN, Appearance.LIGHT, Eye.PROTAN)).isLessThan(APART);
    }

    /** The least distance of two meanings in a palette; an own one that nobody changed has the standard's colours. */
    private static double least(PaletteChoice choice, Appearance theme, Eye eye) {
        Palette palette = Palette.of(choice, OwnColours.NONE, theme).orElseThrow();
        List<double[]> seen = Stream.of(Meaning.values())
                .map(meaning -> eye.lab(palette.line(meaning)))
                .toList();
        double least = Double.MAX_VALUE;
        for (int i = 0; i < seen.size(); i++) {
            for (int j = 0; j < i; j++) {
                double[] a = seen.get(i);
                double[] b = seen.get(j);
                least = Math.min(
                        least,
                        Math.sqrt(Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2)));
            }
        }
        return least;
    }
}
