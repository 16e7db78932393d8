package dev.lacuna.app.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.Bookmarks;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.OpenFile;
import java.util.ArrayList;
import java.util.List;

/** {@code left_open} and {@code bookmarks} of the settings file. */
final class StoredSession {
    /** More places than the window has show no file each. */
    private static final int MOST_FILES = 32;

    private StoredSession() {}

    static void write(ObjectNode node, LeftOpen left, List<Bookmark> bookmarks) {
        ObjectNode open = node.putObject("left_open");
        open.put("restore", left.restore());
        open.put("process", left.process());
        ArrayNode files = open.putArray("files");
        for (OpenFile file : left.files()) {
            files.addObject()
                    .put("place", file.place())
                    .put("part", file.part())
                    .put("path", file.path());
        }
        ArrayNode marks = node.putArray("bookmarks");
        for (Bookmark mark : bookmarks) {
            marks.addObject()
                    .put("name", mark.name())
                    .put("place", mark.place())
                    .put("file", mark.subject())
                    .put("device", mark.device())
                    .put("at", mark.at());
        }
    }

    static LeftOpen left(JsonNode node) {
        JsonNode open = node.path("left_open");
        List<OpenFile> files = new ArrayList<>();
        open.path("files").forEach(file -> {
            if (files.size() < MOST_FILES && file.path("path").isTextual()) {
                files.add(new OpenFile(
                        file.path("place").asText(),
                        file.path("part").asText(),
                        file.path("path").asText()));
            }
        });
        return new LeftOpen(
                open.path("restore").asBoolean(LeftOpen.NOTHING.restore()),
                open.path("process").asText(),
                files);
    }

    static List<Bookmark> bookmarks(JsonNode node) {
        List<Bookmark> bookmarks = new ArrayList<>();
        node.path("bookmarks").forEach(mark -> {
            if (bookmarks.size() < Bookmarks.MOST && mark.path("file").isTextual()) {
                bookmarks.add(new Bookmark(
                        mark.path("name").asText(),
                        mark.path("place").asText(),
                        mark.path("file").asText(),
                        mark.path("device").asInt(),
                        mark.path("at").asLong()));
            }
        });
        return bookmarks;
    }
}
