package dev.lacuna.app.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.ui.settings.Look;
import dev.lacuna.ui.settings.Meaning;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.text.ByteUnit;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** {@code unit}, {@code palette} and {@code own_colours} of the settings file. */
final class StoredLook {
    private StoredLook() {}

    static void write(ObjectNode node, Look look) {
        node.put("unit", look.unit().name().toLowerCase(Locale.ROOT));
        node.put("palette", look.palette().name().toLowerCase(Locale.ROOT));
        ObjectNode own = node.putObject("own_colours");
        for (Meaning meaning : Meaning.values()) {
            own.put(meaning.id(), look.own().of(meaning));
        }
    }

    static Look read(JsonNode node) {
        Map<Meaning, String> own = new EnumMap<>(Meaning.class);
        for (Meaning meaning : Meaning.values()) {
            JsonNode colour = node.path("own_colours").path(meaning.id());
            if (colour.isTextual()) {
                own.put(meaning, colour.asText());
            }
        }
        return new Look(
                SettingsFile.choice(ByteUnit.class, node.path("unit"), Look.DEFAULT.unit()),
                SettingsFile.choice(PaletteChoice.class, node.path("palette"), Look.DEFAULT.palette()),
                new OwnColours(own));
    }
}
