package dev.lacuna.ui.settings;

import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Language;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.LongProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleLongProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.beans.value.ObservableValue;
import javafx.collections.ObservableList;

/** The settings as properties that views bind to. UI thread only. */
public final class UiSettings {
    /** More than this many recent files are no longer recent. */
    public static final int MAX_RECENT_FILES = RecentPaths.MOST;

    private final ObjectProperty<ThemeChoice> theme;
    private final ObjectProperty<Language> language;
    private final LongProperty gapThresholdBytes;
    private final ObjectProperty<Optional<WindowBounds>> bounds;
    private final StringProperty place;
    private final RecentPaths recentFiles;
    private final RecentPaths recentTraces;
    private final KeptLogs keptLogs;
    private final ObjectProperty<ByteUnit> unit;
    private final ObjectProperty<PaletteChoice> palette;
    private final ObjectProperty<OwnColours> ownColours;
    private final ObjectProperty<LeftOpen> left;
    private final Bookmarks bookmarks;

    public UiSettings(StoredSettings stored) {
        theme = new SimpleObjectProperty<>(stored.theme());
        language = new SimpleObjectProperty<>(stored.language());
        gapThresholdBytes = new SimpleLongProperty(stored.gapThresholdBytes());
        bounds = new SimpleObjectProperty<>(stored.bounds());
        place = new SimpleStringProperty(stored.place());
        recentFiles = new RecentPaths(stored.recentFiles());
        recentTraces = new RecentPaths(stored.recentTraces());
        keptLogs = new KeptLogs(stored.keptLogs());
        unit = new SimpleObjectProperty<>(stored.look().unit());
        palette = new SimpleObjectProperty<>(stored.look().palette());
        ownColours = new SimpleObjectProperty<>(stored.look().own());
        left = new SimpleObjectProperty<>(stored.left());
        bookmarks = new Bookmarks(stored.bookmarks());
    }

    /** Light, dark or the desktop's. */
    public ObjectProperty<ThemeChoice> themeProperty() {
        return theme;
    }

    /** English, 简体中文 or the desktop's. */
    public ObjectProperty<Language> languageProperty() {
        return language;
    }

    /** A gap above this many bytes is warned of; 1 GiB unless changed. */
    public LongProperty gapThresholdBytesProperty() {
        return gapThresholdBytes;
    }

    /** What counts as much, as it is set now. */
    public Thresholds thresholds() {
        return Thresholds.DEFAULT.withGapBytes(gapThresholdBytes.get());
    }

    /** Where the window stands. */
    public ObjectProperty<Optional<WindowBounds>> boundsProperty() {
        return bounds;
    }

    /** Id of the place in front. */
    public StringProperty placeProperty() {
        return place;
    }

    /** Paths of files that were opened, newest first; change it through {@link #remember} and {@link #forget}. */
    public ObservableList<String> recentFiles() {
        return recentFiles.list();
    }

    /** Puts a file in front of the recent ones. */
    public void remember(String path) {
        recentFiles.remember(path);
    }

    /** Takes a file off the recent ones. */
    public void forget(String path) {
        recentFiles.forget(path);
    }

    /** Paths of traces that were opened. */
    public RecentPaths recentTraces() {
        return recentTraces;
    }

    /** Diagnosed texts that no file holds. */
    public KeptLogs keptLogs() {
        return keptLogs;
    }

    /** The unit of all bytes. */
    public ObjectProperty<ByteUnit> unitProperty() {
        return unit;
    }

    /** Which colours the meanings have. */
    public ObjectProperty<PaletteChoice> paletteProperty() {
        return palette;
    }

    /** What the operator made of the colours. */
    public ObjectProperty<OwnColours> ownColoursProperty() {
        return ownColours;
    }

    /** What is open, and whether it is opened again at the next start. */
    public ObjectProperty<LeftOpen> leftProperty() {
        return left;
    }

    /** Moments to find again. */
    public Bookmarks bookmarks() {
        return bookmarks;
    }

    /** All of it at this moment. */
    public StoredSettings stored() {
        return new StoredSettings(
                theme.get(),
                language.get(),
                gapThresholdBytes.get(),
                bounds.get(),
                place.get(),
                recentFiles.list(),
                recentTraces.list(),
                keptLogs.list(),
                new Look(unit.get(), palette.get(), ownColours.get()),
                left.get(),
                bookmarks.lasting());
    }

    /** Calls this after any change. */
    public void onChange(Runnable action) {
        // Change listeners: an invalidation is told only once until somebody reads the value.
        for (ObservableValue<?> setting :
                List.of(theme, language, gapThresholdBytes, bounds, place, unit, palette, ownColours, left)) {
            setting.addListener((property, before, now) -> action.run());
        }
        recentFiles.onChange(action);
        recentTraces.onChange(action);
        keptLogs.onChange(action);
        bookmarks.onChange(action);
    }
}
