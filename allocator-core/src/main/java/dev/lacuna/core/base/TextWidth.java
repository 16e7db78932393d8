package dev.lacuna.core.base;

/** How wide a text is on a terminal, in places of one letter. */
public final class TextWidth {
    private TextWidth() {}

    /** Places that it takes: Chinese characters take two. */
    public static int of(String text) {
        return text.codePoints().map(c -> isWide(c) ? 2 : 1).sum();
    }

    /** Han, kana, Hangul, and full-width forms: what East Asian terminals set in two places. */
    private static boolean isWide(int c) {
        return c >= 0x1100 && c <= 0x115F
                || c >= 0x2E80 && c <= 0xA4CF
                || c >= 0xAC00 && c <= 0xD7A3
                || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFE30 && c <= 0xFE6F
                || c >= 0xFF00 && c <= 0xFF60
                || c >= 0xFFE0 && c <= 0xFFE6
                || c >= 0x20000 && c <= 0x3FFFD;
    }
}
