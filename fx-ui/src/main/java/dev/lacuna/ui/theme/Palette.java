package dev.lacuna.ui.theme;

import dev.lacuna.ui.settings.Meaning;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.scene.paint.Color;

/**
 * The colours of all meanings in one appearance, and what follows from them: fills, hatches, holes and grounds. Of every palette, also of the
 * operator's own, lines, hatches and holes can be seen on what they lie on ({@link Contrast#SEEN}): a colour that cannot is moved until it can.
 *
 * <p>The two for colour-blind eyes were found by a search for eight colours whose least distance in CIELAB is greatest, seen plainly and through
 * Machado, Oliveira and Fernandes' model of the deficiency (2009); a test measures them again.
 */
final class Palette {
    /** Opacities, of 255, at which the gap and what is split are laid over a card. */
    static final List<Integer> AREAS = List.of(58, 150);

    private static final List<String> RED_GREEN_LIGHT =
            List.of("#0183fa", "#26a172", "#9f5022", "#8d2036", "#5103d9", "#0073ad", "#aa8b03", "#727b8c");
    private static final List<String> RED_GREEN_DARK =
            List.of("#70bcff", "#49d601", "#dea973", "#c02d52", "#8d41f7", "#07719d", "#876c00", "#b7b9bf");
    private static final List<String> BLUE_YELLOW_LIGHT =
            List.of("#3949ff", "#3b7114", "#a25020", "#d0354a", "#c004ff", "#0e9cb6", "#796100", "#8e8e8e");
    private static final List<String> BLUE_YELLOW_DARK =
            List.of("#3b4eff", "#188b06", "#fc9a55", "#d62f48", "#c800c4", "#4ac7ff", "#917910", "#b1b4b8");

    /** What is drawn lies on either. */
    record Grounds(Color card, Color place) {
        static Grounds of(Appearance appearance) {
            return appearance == Appearance.DARK
                    ? new Grounds(Color.web("#151b23"), Color.web("#0d1117"))
                    : new Grounds(Color.web("#ffffff"), Color.web("#f6f8fa"));
        }
    }

    private final Grounds grounds;
    private final Map<Meaning, Color> lines = new EnumMap<>(Meaning.class);

    private Palette(Appearance appearance, Map<Meaning, Color> wanted) {
        grounds = Grounds.of(appearance);
        wanted.forEach(
                (meaning, colour) -> lines.put(meaning, Contrast.readable(colour, grounds.card(), grounds.place())));
    }

    /** The palette that overrides what the style sheets say; empty where they say it all. */
    static Optional<Palette> of(PaletteChoice choice, OwnColours own, Appearance appearance) {
        boolean dark = appearance == Appearance.DARK;
        return switch (choice) {
            case STANDARD -> Optional.empty();
            case RED_GREEN -> Optional.of(new Palette(appearance, named(dark ? RED_GREEN_DARK : RED_GREEN_LIGHT)));
            case BLUE_YELLOW ->
                Optional.of(new Palette(appearance, named(dark ? BLUE_YELLOW_DARK : BLUE_YELLOW_LIGHT)));
            case OWN -> Optional.of(new Palette(appearance, own(own)));
        };
    }

    /** The colour of a meaning, for lines, words and fills. */
    Color line(Meaning meaning) {
        return lines.get(meaning);
    }

    /** As a style sheet: the same names as in {@code colors-light.css}. */
    String sheet() {
        StringBuilder sheet = new StringBuilder(".root {\n");
        lines.forEach((meaning, colour) -> say(sheet, meaning.id(), colour));
        for (Meaning filled : List.of(Meaning.ALLOCATED, Meaning.SHORT, Meaning.FREE, Meaning.OUTSIDE)) {
            say(sheet, filled.id() + "-fill", line(filled));
        }
        Color card = grounds.card();
        Color gap = line(Meaning.GAP);
        Color hole = Contrast.written(card.interpolate(line(Meaning.FREE), 0.1));
        Color fill = gap;
        // The strongest that a hatch can be seen on, faint and full: nothing is far from white and from a dark card at
        // once.
        while (!Contrast.isSeen(hatch(fill), areas(fill))) {
            fill = Contrast.written(fill.interpolate(card, 0.1));
        }
        say(sheet, "gap-fill", fill);
        say(sheet, "gap-hatch", hatch(fill));
        say(sheet, "gap-ground", card.interpolate(gap, 0.1));
        say(sheet, "gap-line", card.interpolate(gap, 0.5));
        say(sheet, "limit-ground", card.interpolate(line(Meaning.LIMIT), 0.1));
        say(sheet, "hole", hole);
        say(sheet, "hole-line", Contrast.readable(line(Meaning.FREE), hole, card));
        return sheet.append("}\n").toString();
    }

    private Color hatch(Color fill) {
        return Contrast.readable(line(Meaning.GAP), areas(fill));
    }

    /** The tints over a card of what is filled so. */
    private Color[] areas(Color fill) {
        return AREAS.stream()
                .map(alpha -> grounds.card().interpolate(fill, alpha / 255.0))
                .toArray(Color[]::new);
    }

    private static void say(StringBuilder sheet, String name, Color colour) {
        sheet.append("  -lacuna-")
                .append(name)
                .append(": ")
                .append(Contrast.hex(colour))
                .append(";\n");
    }

    private static Map<Meaning, Color> named(List<String> colours) {
        Map<Meaning, Color> named = new EnumMap<>(Meaning.class);
        for (Meaning meaning : Meaning.values()) {
            named.put(meaning, Color.web(colours.get(meaning.ordinal())));
        }
        return named;
    }

    private static Map<Meaning, Color> own(OwnColours own) {
        Map<Meaning, Color> chosen = new EnumMap<>(Meaning.class);
        for (Meaning meaning : Meaning.values()) {
            chosen.put(meaning, Color.web(own.of(meaning)));
        }
        return chosen;
    }
}
