package dev.lacuna.ui.settings;

import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.ui.text.Language;
import java.util.List;
import java.util.Optional;

/**
 * All settings at one moment: what a {@link SettingsStore} keeps.
 *
 * @param theme the theme
 * @param language the language
 * @param gapThresholdBytes a gap above this is warned of, &gt; 0
 * @param bounds where the window stood, if it ever did
 * @param place id of the place that was in front, or empty
 * @param recentFiles paths of logs, newest first
 * @param recentTraces paths of traces, newest first
 * @param keptLogs diagnosed texts that no file holds, newest first
 * @param look how figures and colours look
 * @param left what was open when the window was last used
 * @param bookmarks moments to find again, newest first
 */
public record StoredSettings(
        ThemeChoice theme,
        Language language,
        long gapThresholdBytes,
        Optional<WindowBounds> bounds,
        String place,
        List<String> recentFiles,
        List<String> recentTraces,
        List<KeptLog> keptLogs,
        Look look,
        LeftOpen left,
        List<Bookmark> bookmarks) {
    /** 1 GiB: the rule of the field for when a gap is worth acting on (MindSpeed's documentation). */
    public static final long DEFAULT_GAP_THRESHOLD_BYTES = Thresholds.DEFAULT.gapBytes();

    /** What a new operator finds. */
    public static final StoredSettings DEFAULTS = new StoredSettings(
            ThemeChoice.SYSTEM, Language.SYSTEM, DEFAULT_GAP_THRESHOLD_BYTES, Optional.empty(), "", List.of());

    public StoredSettings {
        recentFiles = List.copyOf(recentFiles);
        recentTraces = List.copyOf(recentTraces);
        keptLogs = List.copyOf(keptLogs);
        bookmarks = List.copyOf(bookmarks);
    }

    /** Settings of an operator who has opened no trace. */
    public StoredSettings(
            ThemeChoice theme,
            Language language,
            long gapThresholdBytes,
            Optional<WindowBounds> bounds,
            String place,
            List<String> recentFiles) {
        this(
                theme,
                language,
                gapThresholdBytes,
                bounds,
                place,
                recentFiles,
                List.of(),
                List.of(),
                Look.DEFAULT,
                LeftOpen.NOTHING,
                List.of());
    }
}
