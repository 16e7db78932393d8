package dev.lacuna.ui.text;

import java.time.Duration;

/** How long something has lasted, in the one unit that matters. */
public final class AgeText {
    private static final Texts TEXTS = Texts.of("units");

    private AgeText() {}

    /** Such as {@code 12 s}, {@code 5 min}, {@code 3 h} or {@code 2 days}; negative counts as nothing. */
    public static String of(Duration age) {
        if (age.compareTo(Duration.ofMinutes(2)) < 0) {
            return TEXTS.get("age.seconds", Long.toString(Math.max(0, age.toSeconds())));
        }
        if (age.compareTo(Duration.ofHours(2)) < 0) {
            return TEXTS.get("age.minutes", Long.toString(age.toMinutes()));
        }
        return age.compareTo(Duration.ofDays(2)) < 0
                ? TEXTS.get("age.hours", Long.toString(age.toHours()))
                : TEXTS.get("age.days", Long.toString(age.toDays()));
    }
}
