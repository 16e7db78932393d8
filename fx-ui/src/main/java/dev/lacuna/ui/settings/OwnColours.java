package dev.lacuna.ui.settings;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Colours that the operator chose.
 *
 * @param colours one for each meaning, as {@code #rrggbb}; what is missing or no such colour is the program's
 */
public record OwnColours(Map<Meaning, String> colours) {
    private static final Pattern COLOUR = Pattern.compile("#[0-9a-f]{6}");

    /** The program's own, as they are on a light ground. */
    private static final Map<Meaning, String> STANDARD = Map.of(
            Meaning.RESERVED, "#0969da",
            Meaning.ALLOCATED, "#1a7f37",
            Meaning.GAP, "#bc4c00",
            Meaning.LIMIT, "#cf222e",
            Meaning.LONG, "#8250df",
            Meaning.SHORT, "#0f7b82",
            Meaning.FREE, "#8b5cd6",
            Meaning.OUTSIDE, "#57606a");

    /** None was chosen. */
    public static final OwnColours NONE = new OwnColours(Map.of());

    public OwnColours {
        Map<Meaning, String> all = new EnumMap<>(STANDARD);
        colours.forEach((meaning, colour) -> {
            String written = colour.toLowerCase(Locale.ROOT);
            if (COLOUR.matcher(written).matches()) {
                all.put(meaning, written);
            }
        });
        colours = Map.copyOf(all);
    }

    /** The colour of a meaning, as {@code #rrggbb}. */
    public String of(Meaning meaning) {
        return colours.get(meaning);
    }

    /** The same with this colour for this meaning. */
    public OwnColours with(Meaning meaning, String colour) {
        Map<Meaning, String> changed = new EnumMap<>(colours);
        changed.put(meaning, colour);
        return new OwnColours(changed);
    }
}
