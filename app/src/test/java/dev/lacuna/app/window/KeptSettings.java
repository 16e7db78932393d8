package dev.lacuna.app.window;

import dev.lacuna.ui.settings.SettingsStore;
import dev.lacuna.ui.settings.StoredSettings;

/** Settings that last as long as a test. */
final class KeptSettings implements SettingsStore {
    private volatile StoredSettings kept;

    KeptSettings(StoredSettings first) {
        kept = first;
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
