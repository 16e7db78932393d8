package dev.lacuna.ui.blockmap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The colours of a map on paper: those of the window's light style, read from its style sheets, for no toolkit is there to do so. */
final class PaperPalette {
    private static final List<String> SHEETS = List.of("colors-light.css", "blocks.css");
    private static final Pattern PROPERTY = Pattern.compile("(-[a-z][a-z0-9-]*):\\s*([^;{}]+);");
    private static final Pattern COLOUR = Pattern.compile("#([0-9a-fA-F]{6})");
    private static final int BLACK = 0xff000000;

    private final Map<String, String> properties = new HashMap<>();

    private PaperPalette() {
        for (String sheet : SHEETS) {
            Matcher property = PROPERTY.matcher(text(sheet));
            while (property.find()) {
                properties.putIfAbsent(property.group(1), property.group(2).strip());
            }
        }
    }

    static BlockPalette read() {
        PaperPalette sheets = new PaperPalette();
        return new BlockPalette(BlockPalette.NAMES.stream()
                .mapToInt(name -> sheets.colour("-blocks-" + name))
                .toArray());
    }

    /** A colour by its name; black where the theme has it, which only frames take. */
    private int colour(String name) {
        String value = properties.getOrDefault(name, "");
        Matcher colour = COLOUR.matcher(value);
        if (colour.matches()) {
            return BLACK | Integer.parseInt(colour.group(1), 16);
        }
        return properties.containsKey(value) ? colour(value) : BLACK;
    }

    private static String text(String sheet) {
        try (InputStream in = PaperPalette.class.getResourceAsStream("/dev/lacuna/ui/style/" + sheet)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
