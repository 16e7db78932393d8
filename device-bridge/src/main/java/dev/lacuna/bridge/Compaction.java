package dev.lacuna.bridge;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of compaction on one device: of moving what outlives steps to the side that serves. Its sentences stand in
 * {@code Compaction*.properties}.
 *
 * @param state how far it is
 * @param atOnce all at the end of one step; else a twentieth of the training's time
 * @param moved storages that were moved, and {@code movedBytes} of them
 * @param left storages that are still to be moved, and {@code leftBytes} of them
 * @param busyNanos time of the training that it took so far
 * @param stayed what stays for good, by the reason's word in the protocol, in its order there; docs/compaction.md
 */
public record Compaction(
        State state,
        boolean atOnce,
        long moved,
        long movedBytes,
        long left,
        long leftBytes,
        long busyNanos,
        Map<String, Stayed> stayed) {

    /** How far it is. */
    public enum State {
        /** Never asked for. */
        NONE,
        /** No step has ended since it was asked for, or steps are not marked. */
        ASKED,
        RUNNING,
        DONE
    }

    /**
     * Storages of which one reason holds.
     *
     * @param storages their number
     * @param bytes their size together
     */
    public record Stayed(long storages, long bytes) {}

    private static final double NANOS_PER_MS = 1e6;

    public Compaction {
        stayed = Collections.unmodifiableMap(new LinkedHashMap<>(stayed));
    }

    /** How far it is, in one sentence. */
    public String text(Locale locale) {
        return sentence(
                locale,
                state.name().toLowerCase(Locale.ROOT),
                moved,
                ByteSize.format(movedBytes),
                String.format(Locale.ROOT, "%.1f", busyNanos / NANOS_PER_MS),
                left,
                ByteSize.format(leftBytes));
    }

    /** What stays for good and why, a sentence for each reason. */
    public List<String> stayedTexts(Locale locale) {
        return stayed.entrySet().stream()
                .map(each -> sentence(
                        locale,
                        "stayed",
                        each.getValue().storages(),
                        ByteSize.format(each.getValue().bytes()),
                        sentence(locale, "stayed." + each.getKey())))
                .toList();
    }

    private static String sentence(Locale locale, String key, Object... arguments) {
        return MessageFormat.format(
                Translations.of(Compaction.class.getName(), locale).getString(key), arguments);
    }
}
