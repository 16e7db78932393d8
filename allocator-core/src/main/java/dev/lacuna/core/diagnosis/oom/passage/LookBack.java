package dev.lacuna.core.diagnosis.oom.passage;

/** Looking for a word before a place, no further than told: a search to the start of the passage would add up. */
public final class LookBack {
    private LookBack() {}

    /** Index of the last place before {@code from} where the word begins, at most so many characters before; −1 if none. */
    public static int to(String word, String lower, int from, int within) {
        int start = Math.max(0, from - within);
        int found = lower.substring(start, Math.min(lower.length(), from)).lastIndexOf(word);
        return found < 0 ? -1 : start + found;
    }
}
