package dev.lacuna.core.planning.online.victim;

/**
 * What a runtime leaves out to find its victim sooner (both are the DTR authors' own).
 *
 * @param skipSmall leave out storages below 1 % of the mean size
 * @param sample look at √n random storages only
 * @param seed of the sample
 */
public record SearchShortcuts(boolean skipSmall, boolean sample, long seed) {
    /** Every storage is looked at. */
    public static final SearchShortcuts NONE = new SearchShortcuts(false, false, 0);

    /** Both shortcuts. */
    public static SearchShortcuts both(long seed) {
        return new SearchShortcuts(true, true, seed);
    }
}
