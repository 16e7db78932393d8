package dev.lacuna.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.KeptLog;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.Look;
import dev.lacuna.ui.settings.Meaning;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.WindowBounds;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    @TempDir
    Path folder;

    @Test
    void brings_back_what_was_saved() throws IOException {
        StoredSettings settings = new StoredSettings(
                ThemeChoice.DARK,
                Language.CHINESE,
                2L << 30,
                Optional.of(new WindowBounds(10, -20, 1280, 800, true)),
                "diagnose",
                List.of("/logs/b.log", "/logs/a.log"),
                List.of("/traces/a.csv"),
                List.of(new KeptLog("", 1_700_000_000_000L, "CUDA out of memory.\n显存")),
                new Look(ByteUnit.GB, PaletteChoice.OWN, OwnColours.NONE.with(Meaning.GAP, "#AA0011")),
                new LeftOpen(false, "48213-77", List.of(new OpenFile("planner", "estimate", "/configs/一.yaml"))),
                List.of(new Bookmark("the peak", "snapshot", "/data/a.pickle", 1, 4711)));
        SettingsFile file = new SettingsFile(folder.resolve("deep/settings.json"));
        file.save(settings);
        assertThat(file.load()).isEqualTo(settings);
    }

    @Test
    void starts_with_the_defaults() {
        assertThat(new SettingsFile(folder.resolve("none.json")).load()).isEqualTo(StoredSettings.DEFAULTS);
    }

    @Test
    void keeps_a_damaged_file_aside_and_starts_with_the_defaults() throws IOException {
        Path path = Files.writeString(folder.resolve("settings.json"), "{\"theme\": ");
        assertThat(new SettingsFile(path).load()).isEqualTo(StoredSettings.DEFAULTS);
        assertThat(folder.resolve("settings.json.damaged")).hasContent("{\"theme\": ");
        assertThat(path).doesNotExist();
    }

    @Test
    void ignores_values_it_does_not_know() throws IOException {
        Path path = Files.writeString(
                folder.resolve("settings.json"),
                "{\"theme\":\"purple\",\"gap_threshold_bytes\":-5,\"window\":{\"width\":0},\"recent_files\":[1,\"a\"],"
                        + "\"unit\":\"furlong\",\"palette\":7,\"own_colours\":{\"gap\":\"url(file:/x)\"},"
                        + "\"left_open\":[],\"bookmarks\":{\"a\":1}}");
        StoredSettings settings = new SettingsFile(path).load();
        assertThat(settings.theme()).isEqualTo(StoredSettings.DEFAULTS.theme());
        assertThat(settings.gapThresholdBytes()).isEqualTo(StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES);
        assertThat(settings.bounds()).isEmpty();
        assertThat(settings.recentFiles()).containsExactly("a");
        assertThat(settings.look()).isEqualTo(Look.DEFAULT);
        assertThat(settings.left()).isEqualTo(LeftOpen.NOTHING);
        assertThat(settings.bookmarks()).isEmpty();
    }

    @Test
    void leaves_nothing_beside_the_file() throws IOException {
        SettingsFile file = new SettingsFile(folder.resolve("settings.json"));
        file.save(StoredSettings.DEFAULTS);
        assertThat(folder).isDirectoryContaining(p -> p.endsWith("settings.json"));
        assertThat(folder.toFile().list()).containsExactly("settings.json");
    }
}
