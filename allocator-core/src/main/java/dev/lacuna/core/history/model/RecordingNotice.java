package dev.lacuna.core.history.model;

import dev.lacuna.core.base.Translations;
import dev.lacuna.core.trace.model.OddRows;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;

/**
 * Something about an opened file that its figures do not say of themselves. The texts stand in {@code
 * RecordingNotice*.properties}.
 *
 * @param kind what it is about
 * @param device the device that it concerns; {@link #WHOLE_FILE} for all
 * @param detail a number or a name that the text contains; may be empty
 */
public record RecordingNotice(Kind kind, int device, String detail) {
    /** Concerns no device in particular. */
    public static final int WHOLE_FILE = -2;

    /** What a notice is about. */
    public enum Kind {
        /** The file ends early; the detail is the byte where. */
        TRUNCATED,
        /** The file ends within a trace: what happened between its last entry and the segments is not known. */
        TRACE_CUT,
        /** Segments held before the recording are guessed from the blocks in them; the detail is how many. */
        SEGMENTS_GUESSED,
        /** Entries that contradict what came before them, or the segments; the detail is how many. */
        CONTRADICTIONS,
        /** The trace tells no addresses: those shown are where PyTorch's stock rules would have put the blocks. */
        REPLAYED,
        /** The allocator's options could not be read; the detail says why. */
        SETTINGS,
        /** Values that cannot be, taken for unknown; the detail is how many. */
        ODD_VALUES,
        /** Where the first of them stands; the detail is its field and the byte where its object begins. */
        ODD_FIRST,
        /** What is wrong with the first of them; the detail says it. */
        ODD_FIELD,
        /** Rows of a trace that make no sense; the detail is how many, and what is wrong with the first. */
        ODD_ROWS,
        /** Only part of the file was loaded; the detail says which. */
        PART,
        /** Events were overwritten before anybody read them; the detail is how many. */
        LOST_EVENTS,
        /** Blocks from before events were lost, of which nothing was heard since; the detail is their size. */
        UNPROVEN,
        /** What was held before the recording and no event tells of; the detail is its size. */
        HELD_BEFORE,
        /** Chunks moved and the agent, an older one, did not say from where; the detail is their size. */
        MOVED_UNTOLD,
        /** Segments count bytes as allocated that no block of the file holds, or less; the detail is how many. */
        UNLISTED_BLOCKS,
        /** A recording of a process ends before its end. */
        RECORDING_CUT,
        /** The process told how it ended: interrupted by Ctrl-C. */
        ENDED_INTERRUPTED,
        /** The process told how it ended: by an unhandled exception; the detail is its type. */
        ENDED_EXCEPTION,
        /** The process told nothing of its end: a signal ended it, it was killed, or it still ran. */
        ENDED_UNTOLD,
        /** The agent counted otherwise at the end; the detail is how many bytes more or less were allocated. */
        COUNTED_OTHERWISE
    }

    /** What is to be said of what of a trace made no sense; empty where all did. */
    public static Optional<RecordingNotice> of(OddRows odd) {
        return odd.count() == 0
                ? Optional.empty()
                : Optional.of(new RecordingNotice(Kind.ODD_ROWS, WHOLE_FILE, odd.count() + " · " + odd.firstText()));
    }

    /** The detail where it is a count, for texts that differ by number. */
    private long count() {
        return detail.matches("\\d{1,18}") ? Long.parseLong(detail) : 0;
    }

    /** The sentence in this language. */
    public String text(Locale locale) {
        ResourceBundle texts = Translations.of(RecordingNotice.class.getName(), locale);
        return MessageFormat.format(texts.getString(kind.name()), detail, Integer.toString(device), count());
    }
}
