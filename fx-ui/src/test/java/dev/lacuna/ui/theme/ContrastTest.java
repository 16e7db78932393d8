package dev.lacuna.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.chart.TimelineRaster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javafx.scene.paint.Color;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the style sheets colour can be told from what it lies on: by the formula of WCAG 2, at least 3 to 1. */
class ContrastTest {
    /** As Snapshot's timeline draws it. */
    private static final int SPLIT_ALPHA = 150;

    private static final Pattern COLOUR = Pattern.compile("(-lacuna-[a-z0-9-]+):\\s*(#[0-9a-fA-F]{6})");

    @ParameterizedTest
    @CsvSource({
        "dark, -lacuna-hole-line, -lacuna-hole",
        "light, -lacuna-hole-line, -lacuna-hole",
        "dark, -lacuna-hole-line, -lacuna-card",
        "light, -lacuna-hole-line, -lacuna-card",
        "dark, -lacuna-gap, -lacuna-card",
        "light, -lacuna-gap, -lacuna-card",
        "dark, -lacuna-reserved, -lacuna-card",
        "light, -lacuna-reserved, -lacuna-card",
        "dark, -lacuna-allocated, -lacuna-card",
        "light, -lacuna-allocated, -lacuna-card",
        "dark, -lacuna-limit, -lacuna-card",
        "light, -lacuna-limit, -lacuna-card",
        "dark, -lacuna-long, -lacuna-card",
        "light, -lacuna-long, -lacuna-card"
    })
    void can_be_told_from_its_ground(String theme, String colour, String ground) throws IOException {
        Map<String, Color> colours = colours(theme);
        assertThat(contrast(colours.get(colour), colours.get(ground)))
                .as("%s: %s on %s", theme, colour, ground)
                .isGreaterThanOrEqualTo(3);
    }

    /** The areas are tints over the card: of the gap in Live, of what is split in Snapshot. */
    @ParameterizedTest
    @ValueSource(strings = {"dark", "light"})
    void the_hatch_of_the_gap_can_be_told_from_its_area(String theme) throws IOException {
        Map<String, Color> colours = colours(theme);
        for (int alpha : List.of(TimelineRaster.GAP_ALPHA, SPLIT_ALPHA)) {
            Color area = colours.get("-lacuna-card").interpolate(colours.get("-lacuna-gap-fill"), alpha / 255.0);
            assertThat(contrast(colours.get("-lacuna-gap-hatch"), area))
                    .as("%s at %d", theme, alpha)
                    .isGreaterThanOrEqualTo(3);
        }
    }

    private static Map<String, Color> colours(String theme) throws IOException {
        Map<String, Color> colours = new TreeMap<>();
        try (InputStream in = StyleSheets.class.getResourceAsStream("../style/colors-" + theme + ".css")) {
            Matcher found = COLOUR.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            while (found.find()) {
                colours.put(found.group(1), Color.web(found.group(2)));
            }
        }
        return colours;
    }

    private static double contrast(Color one, Color other) {
        double a = luminance(one);
        double b = luminance(other);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
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
