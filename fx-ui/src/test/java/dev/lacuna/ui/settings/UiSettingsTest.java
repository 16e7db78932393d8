package dev.lacuna.ui.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UiSettingsTest {
    private final UiSettings settings = new UiSettings(StoredSettings.DEFAULTS);
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final List<StoredSettings> saved = new ArrayList<>();

    private final class Memory implements SettingsStore {
        @Override
        public StoredSettings load() {
            return StoredSettings.DEFAULTS;
        }

        @Override
        public void save(StoredSettings now) {
            saved.add(now);
        }
    }

    @Test
    void gives_back_what_was_stored() {
        StoredSettings stored = new StoredSettings(
                ThemeChoice.DARK,
                Language.CHINESE,
                2L << 30,
                Optional.of(new WindowBounds(10, 20, 1280, 800, false)),
                "diagnose",
                List.of("/tmp/a.log"));
        assertThat(new UiSettings(stored).stored()).isEqualTo(stored);
    }

    @Test
    void puts_the_file_opened_last_first_and_forgets_the_oldest() {
        IntStream.range(0, 20).forEach(i -> settings.remember("log" + i));
        settings.remember("log15");
        assertThat(settings.recentFiles())
                .hasSize(UiSettings.MAX_RECENT_FILES)
                .startsWith("log15", "log19", "log18")
                .doesNotHaveDuplicates();
        settings.forget("log19");
        assertThat(settings.recentFiles()).doesNotContain("log19");
    }

    @Test
    void saves_once_after_a_series_of_changes() {
        new SettingsKeeper(settings, new Memory(), executor, fault -> {});
        for (int x = 0; x < 100; x++) {
            settings.boundsProperty().set(Optional.of(new WindowBounds(x, 0, 800, 600, false)));
            executor.pass(Duration.ofMillis(5));
        }
        settings.themeProperty().set(ThemeChoice.DARK);
        assertThat(saved).isEmpty();
        executor.pass(Duration.ofSeconds(1));
        assertThat(saved).containsExactly(settings.stored());
    }

    @Test
    void tells_that_settings_could_not_be_saved() {
        List<String> reported = new ArrayList<>();
        SettingsStore full = new SettingsStore() {
            @Override
            public StoredSettings load() {
                return StoredSettings.DEFAULTS;
            }

            @Override
            public void save(StoredSettings now) throws IOException {
                throw new IOException("disk full");
            }
        };
        new SettingsKeeper(settings, full, executor, fault -> reported.add(fault.getMessage()));
        settings.placeProperty().set("live");
        executor.pass(Duration.ofSeconds(1));
        assertThat(reported).containsExactly("disk full");
    }

    @Test
    void keeps_a_moment_once_and_of_a_process_only_while_the_window_is_open() {
        Bookmark file = new Bookmark("a", "snapshot", "/runs/a.pickle", 0, 7);
        Bookmark process = new Bookmark("b", "live", "48213-99", 0, 7);
        settings.bookmarks().add(file);
        settings.bookmarks().add(process);
        settings.bookmarks().add(file.called("again"));
        assertThat(settings.bookmarks().list()).containsExactly(file.called("again"), process);
        assertThat(settings.stored().bookmarks()).containsExactly(file.called("again"));
        settings.bookmarks().rename(process, "  ");
        assertThat(settings.bookmarks().list()).contains(process);
    }

    @Test
    void takes_no_colour_that_is_none() {
        assertThat(OwnColours.NONE.with(Meaning.GAP, "url(file:/etc)")).isEqualTo(OwnColours.NONE);
        assertThat(OwnColours.NONE.with(Meaning.GAP, "#ABCDEF").of(Meaning.GAP)).isEqualTo("#abcdef");
    }
}
