package dev.lacuna.app.window;

import dev.lacuna.ui.settings.SettingsStore;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.WindowBounds;
import dev.lacuna.ui.text.Language;
import java.util.List;
import java.util.Optional;

/** Settings that last as long as a test. */
final class KeptSettings implements SettingsStore {
    private volatile StoredSettings kept;

    KeptSettings(StoredSettings first) {
        kept = first;
    }

    /** An English window of 1440 × 900 that opens with the processes: dark, or as {@code -Dlacuna.theme=light} says. */
    static KeptSettings usual() {
        return new KeptSettings(new StoredSettings(
                "light".equals(System.getProperty("lacuna.theme")) ? ThemeChoice.LIGHT : ThemeChoice.DARK,
                Language.ENGLISH,
                StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES,
                Optional.of(new WindowBounds(0, 0, 1440, 900, false)),
                "processes",
                List.of()));
    }

    @Override
    public StoredSettings load() {
        return kept;
    }

    @Override
    public void save(StoredSettings settings) {
        kept = settings;
    }
}
