package dev.lacuna.ui.text;

import java.util.Locale;

/** Changes with their sign, growth too; the minus is the one that {@link ByteText} writes. */
public final class ChangeText {
    private ChangeText() {}

    /** {@code +1,204}, {@code −39} or {@code 0}. */
    public static String ofCount(long count) {
        return count == 0 ? "0" : signed("%+,d", count);
    }

    /** A share as {@code +3.1 %} or {@code −0.4 %}. */
    public static String ofShare(double share) {
        return signed("%+.1f %%", 100 * share);
    }

    private static String signed(String format, Object figure) {
        return String.format(Locale.ROOT, format, figure).replace('-', '\u2212');
    }
}
