package dev.lacuna.app.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.ui.settings.KeptLog;
import dev.lacuna.ui.settings.KeptLogs;
import dev.lacuna.ui.settings.SettingsStore;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.WindowBounds;
import dev.lacuna.ui.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Settings as {@code $XDG_CONFIG_HOME/lacuna/settings.json} (default {@code ~/.config}). Replaced atomically; a damaged
 * file yields the defaults and is kept aside as {@code settings.json.damaged}.
 */
public final class SettingsFile implements SettingsStore {
    private static final System.Logger LOG = System.getLogger(SettingsFile.class.getName());
    private static final long LARGEST_FILE_BYTES = 1 << 20;
    private static final int MOST_RECENT_FILES = 50;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Path file;

    /** Keeps settings in this file. */
    public SettingsFile(Path file) {
        this.file = file;
    }

    /** The file of this user. */
    public static SettingsFile ofThisUser() {
        String configured =
                Optional.ofNullable(System.getenv("XDG_CONFIG_HOME")).orElse("");
        Path folder = configured.isEmpty() ? Path.of(System.getProperty("user.home"), ".config") : Path.of(configured);
        return new SettingsFile(folder.resolve("lacuna").resolve("settings.json"));
    }

    @Override
    public StoredSettings load() {
        if (!Files.isRegularFile(file)) {
            return StoredSettings.DEFAULTS;
        }
        try {
            return read(content());
        } catch (IOException | IllegalArgumentException e) {
            keepAside(e);
            return StoredSettings.DEFAULTS;
        }
    }

    /** Above what a gap is called fragmentation, for commands: they leave a damaged file where it is, for the window to tell of. */
    public long gapThresholdBytes() {
        try {
            return Files.isRegularFile(file) ? threshold(content()) : StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES;
        } catch (IOException | IllegalArgumentException e) {
            return StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES;
        }
    }

    private JsonNode content() throws IOException {
        if (Files.size(file) > LARGEST_FILE_BYTES) {
            throw new IOException("larger than " + LARGEST_FILE_BYTES + " bytes");
        }
        JsonNode node = mapper.readTree(Files.readAllBytes(file));
        if (!node.isObject()) {
            throw new IllegalArgumentException("not a JSON object");
        }
        return node;
    }

    private static long threshold(JsonNode node) {
        long threshold = node.path("gap_threshold_bytes").asLong(StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES);
        return threshold > 0 ? threshold : StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES;
    }

    @Override
    public void save(StoredSettings settings) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(
                folder,
                "settings",
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(fresh, mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(write(settings)));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private void keepAside(Exception why) {
        Path aside = file.resolveSibling(file.getFileName() + ".damaged");
        LOG.log(System.Logger.Level.WARNING, "{0} cannot be read ({1}); it is kept as {2}", file, why, aside);
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "{0} could not be moved aside: {1}", file, e);
        }
    }

    private static ObjectNode write(StoredSettings settings) {
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.put("theme", settings.theme().name().toLowerCase(Locale.ROOT));
        node.put("language", settings.language().name().toLowerCase(Locale.ROOT));
        node.put("gap_threshold_bytes", settings.gapThresholdBytes());
        settings.bounds().ifPresent(b -> {
            ObjectNode window = node.putObject("window");
            window.put("x", b.x());
            window.put("y", b.y());
            window.put("width", b.width());
            window.put("height", b.height());
            window.put("maximised", b.maximised());
        });
        node.put("place", settings.place());
        ArrayNode recent = node.putArray("recent_files");
        settings.recentFiles().forEach(recent::add);
        ArrayNode traces = node.putArray("recent_traces");
        settings.recentTraces().forEach(traces::add);
        ArrayNode logs = node.putArray("diagnosed_texts");
        for (KeptLog log : settings.keptLogs()) {
            logs.addObject().put("name", log.name()).put("at_ms", log.atMs()).put("text", log.text());
        }
        StoredLook.write(node, settings.look());
        StoredSession.write(node, settings.left(), settings.bookmarks());
        return node;
    }

    private static StoredSettings read(JsonNode node) {
        StoredSettings defaults = StoredSettings.DEFAULTS;
        return new StoredSettings(
                choice(ThemeChoice.class, node.path("theme"), defaults.theme()),
                choice(Language.class, node.path("language"), defaults.language()),
                threshold(node),
                bounds(node.path("window")),
                node.path("place").asText(defaults.place()),
                paths(node.path("recent_files")),
                paths(node.path("recent_traces")),
                logs(node.path("diagnosed_texts")),
                StoredLook.read(node),
                StoredSession.left(node),
                StoredSession.bookmarks(node));
    }

    private static List<KeptLog> logs(JsonNode node) {
        List<KeptLog> logs = new ArrayList<>();
        node.forEach(log -> {
            if (logs.size() < KeptLogs.MOST && log.path("text").isTextual()) {
                logs.add(new KeptLog(
                        log.path("name").asText(),
                        log.path("at_ms").asLong(),
                        log.path("text").asText()));
            }
        });
        return logs;
    }

    private static List<String> paths(JsonNode node) {
        List<String> paths = new ArrayList<>();
        node.forEach(f -> {
            if (paths.size() < MOST_RECENT_FILES && f.isTextual()) {
                paths.add(f.asText());
            }
        });
        return paths;
    }

    private static Optional<WindowBounds> bounds(JsonNode window) {
        double width = window.path("width").asDouble();
        double height = window.path("height").asDouble();
        if (!window.isObject() || width <= 0 || height <= 0) {
            return Optional.empty();
        }
        return Optional.of(new WindowBounds(
                window.path("x").asDouble(),
                window.path("y").asDouble(),
                width,
                height,
                window.path("maximised").asBoolean()));
    }

    static <E extends Enum<E>> E choice(Class<E> type, JsonNode node, E otherwise) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equalsIgnoreCase(node.asText())) {
                return value;
            }
        }
        return otherwise;
    }
}
