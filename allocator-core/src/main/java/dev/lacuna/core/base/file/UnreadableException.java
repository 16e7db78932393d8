package dev.lacuna.core.base.file;

import dev.lacuna.core.base.Sentence;
import java.io.IOException;
import java.util.Locale;

/** A file that is not what it should be: what is wrong with it, where, and what to do about it. */
public class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_DETAIL = 200;

    private final transient Sentence why;

    public UnreadableException(Sentence why) {
        super(why.text(Locale.ROOT));
        this.why = why;
    }

    /** The message in the default locale's language. */
    @Override
    public final String getLocalizedMessage() {
        return text(Locale.getDefault());
    }

    /** The message in this language. */
    public final String text(Locale locale) {
        return why.text(locale);
    }

    /** Untrusted text, fit for one line of a message. */
    protected static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .limit(LONGEST_DETAIL)
                .forEach(c -> out.appendCodePoint(Character.isISOControl(c) || unpaired(c) ? '\uFFFD' : c));
        return text.codePointCount(0, text.length()) > LONGEST_DETAIL
                ? out.append('…').toString()
                : out.toString();
    }

    private static boolean unpaired(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }
}
