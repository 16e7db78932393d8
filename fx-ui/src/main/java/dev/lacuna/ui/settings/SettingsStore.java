package dev.lacuna.ui.settings;

import java.io.IOException;

/** Keeps settings from one run to the next. Called off the UI thread, never twice at once. */
public interface SettingsStore {
    /** What was saved last, or {@link StoredSettings#DEFAULTS} where there is nothing readable: a bad file is no reason not to start. */
    StoredSettings load();

    /** Saves all of it, whole or not at all. */
    void save(StoredSettings settings) throws IOException;
}
