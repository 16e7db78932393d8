package dev.lacuna.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.chart.TimelineRaster;
import dev.lacuna.ui.settings.Meaning;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.scene.paint.Color;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the style sheets colour can be told from what it lies on, in every palette: by the formula of WCAG 2, at least 3 to 1. */
class ContrastTest {
    /** As Snapshot's timeline draws it. */
    private static final int SPLIT_ALPHA = 150;

    private static final Pattern COLOUR = Pattern.compile("(-lacuna-[a-z0-9-]+):\\s*(#[0-9a-fA-F]{6})");

    private static final List<String> LINES =
            List.of("hole-line", "gap", "reserved", "allocated", "limit", "long", "short", "rounding", "pending");

    static Stream<Arguments> palettes() {
        return Stream.of(PaletteChoice.values())
                .flatMap(palette -> Stream.of(Appearance.values()).map(theme -> Arguments.of(palette, theme)));
    }

    @ParameterizedTest
    @MethodSource("palettes")
    void can_be_told_from_its_ground(PaletteChoice palette, Appearance theme) throws IOException {
        SoftAssertions all = new SoftAssertions();
        check(all, palette + " " + theme, colours(palette, OwnColours.NONE, theme));
        all.assertAll();
    }

    @ParameterizedTest
    @EnumSource(Appearance.class)
    void what_the_operator_chose_can_be_told_from_its_ground_whatever_it_is(Appearance theme) throws IOException {
        SoftAssertions all = new SoftAssertions();
        Random random = new Random(17);
        for (int i = 0; i < 300; i++) {
            Map<Meaning, String> own = new EnumMap<>(Meaning.class);
            for (Meaning meaning : Meaning.values()) {
                // The ends of the range too: black, white, the grounds themselves.
                int colour = i < 2 ? i * 0xffffff : i == 2 ? 0x151b23 : random.nextInt(0x1000000);
                own.put(meaning, "#%06x".formatted(colour));
            }
            check(all, own + " " + theme, colours(PaletteChoice.OWN, new OwnColours(own), theme));
        }
        all.assertAll();
    }

    @ParameterizedTest
    @EnumSource(Appearance.class)
    void what_has_no_meaning_but_its_name_can_be_told_from_its_ground(Appearance theme) throws IOException {
        Map<String, Color> colours = colours(PaletteChoice.STANDARD, OwnColours.NONE, theme);
        IntStream.rangeClosed(1, 8)
                .forEach(i -> assertThat(Contrast.of(colours.get("-lacuna-block-" + i), colours.get("-lacuna-card")))
                        .as("block %d", i)
                        .isGreaterThanOrEqualTo(3));
    }

    @ParameterizedTest
    @EnumSource(Appearance.class)
    void a_palette_knows_the_grounds_of_the_style_sheets(Appearance theme) throws IOException {
        Map<String, Color> colours = colours(PaletteChoice.STANDARD, OwnColours.NONE, theme);
        assertThat(Palette.Grounds.of(theme))
                .isEqualTo(new Palette.Grounds(colours.get("-lacuna-card"), colours.get("-lacuna-ground")));
    }

    @Test
    void a_palette_knows_how_the_gap_is_laid_over_a_card() {
        assertThat(Palette.AREAS).containsExactly(TimelineRaster.GAP_ALPHA, SPLIT_ALPHA);
    }

    @Test
    void measures_as_the_formula_says() {
        assertThat(Contrast.of(Color.BLACK, Color.WHITE)).isEqualTo(21);
        assertThat(Contrast.of(Color.web("#777777"), Color.WHITE)).isBetween(4.47, 4.49);
    }

    /** Lines on cards, the hatch of holes on holes, and that of the gap on its areas, which are tints over the card. */
    private static void check(SoftAssertions all, String what, Map<String, Color> colours) {
        Color card = colours.get("-lacuna-card");
        for (String line : LINES) {
            check(all, what + ": " + line, colours.get("-lacuna-" + line), card);
        }
        check(all, what + ": hole", colours.get("-lacuna-hole-line"), colours.get("-lacuna-hole"));
        for (int alpha : List.of(TimelineRaster.GAP_ALPHA, SPLIT_ALPHA)) {
            Color area = card.interpolate(colours.get("-lacuna-gap-fill"), alpha / 255.0);
            check(all, what + ": hatch at " + alpha, colours.get("-lacuna-gap-hatch"), area);
        }
    }

    private static void check(SoftAssertions all, String what, Color colour, Color ground) {
        all.assertThat(Contrast.of(colour, ground)).as(what).isGreaterThanOrEqualTo(3);
    }

    private static Map<String, Color> colours(PaletteChoice palette, OwnColours own, Appearance theme)
            throws IOException {
        Map<String, Color> colours = new TreeMap<>();
        String name = theme == Appearance.DARK ? "dark" : "light";
        try (InputStream in = StyleSheets.class.getResourceAsStream("../style/colors-" + name + ".css")) {
            read(new String(in.readAllBytes(), StandardCharsets.UTF_8), colours);
        }
        Palette.of(palette, own, theme).ifPresent(chosen -> read(chosen.sheet(), colours));
        return colours;
    }

    private static void read(String sheet, Map<String, Color> colours) {
        Matcher found = COLOUR.matcher(sheet);
        while (found.find()) {
            colours.put(found.group(1), Color.web(found.group(2)));
        }
    }
}
