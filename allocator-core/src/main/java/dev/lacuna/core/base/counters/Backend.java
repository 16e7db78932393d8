package dev.lacuna.core.base.counters;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What kind of device memory lies on. The agent tells the word of its back end, so that one that is new there is known here
 * without a change.
 *
 * @param label the word used on the wire and in JSON: small letters and digits, a letter first
 */
public record Backend(String label) {
    /** As long as the record of a device has room for; first, because those below are checked by it. */
    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9]{0,14}");

    public static final Backend VIRTUAL = new Backend("virtual");
    public static final Backend CUDA = new Backend("cuda");
    public static final Backend ASCEND = new Backend("ascend");

    /** Those that have a number of their own since before there was a word: the index + 1. */
    private static final List<Backend> NUMBERED = List.of(VIRTUAL, CUDA, ASCEND);

    /** The highest of those numbers. */
    public static final int LAST_CODE = NUMBERED.size();

    /**
     * @throws IllegalArgumentException where it is no such word
     */
    public Backend {
        if (!WORD.matcher(label).matches()) {
            throw new IllegalArgumentException("no word for a back end: " + label);
        }
    }

    /** Of a word; empty where it can be none. */
    public static Optional<Backend> of(String word) {
        return WORD.matcher(word).matches() ? Optional.of(new Backend(word)) : Optional.empty();
    }

    /** Of a number on the wire; empty where only its word tells. */
    public static Optional<Backend> of(int code) {
        return code >= 1 && code <= LAST_CODE ? Optional.of(NUMBERED.get(code - 1)) : Optional.empty();
    }

    /** Its number on the wire; empty where it has none here. */
    public Optional<Integer> code() {
        int place = NUMBERED.indexOf(this);
        return place < 0 ? Optional.empty() : Optional.of(place + 1);
    }
}
