package dev.lacuna.core.trace.snapshot.pickle;

import dev.lacuna.core.base.Translations;
import java.io.IOException;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** A snapshot that could not be understood: what is wrong, at which byte, and what to do about it. */
public final class SnapshotFormatException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_DETAIL = 200;

    private final SnapshotProblem problem;
    private final long position;
    private final String detail;

    public SnapshotFormatException(SnapshotProblem problem, long position, String detail) {
        super(message(Locale.ROOT, problem, position, printable(detail)));
        this.problem = problem;
        this.position = position;
        this.detail = printable(detail);
    }

    /** What is wrong. */
    public SnapshotProblem problem() {
        return problem;
    }

    /** Byte offset, from 0, of the command or of the object that is wrong. */
    public long position() {
        return position;
    }

    /** The message in the default locale's language. */
    @Override
    public String getLocalizedMessage() {
        return text(Locale.getDefault());
    }

    /** The message in this language. */
    public String text(Locale locale) {
        return message(locale, problem, position, detail);
    }

    private static String message(Locale locale, SnapshotProblem problem, long position, String detail) {
        ResourceBundle texts = Translations.of(SnapshotProblem.class.getName(), locale);
        return MessageFormat.format(texts.getString("AT"), Long.toString(position), problem.text(locale, detail));
    }

    /** Untrusted text, fit for a message. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length() && i < LONGEST_DETAIL; i++) {
            char c = text.charAt(i);
            out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '\uFFFD' : c);
        }
        return text.length() > LONGEST_DETAIL ? out.append('…').toString() : out.toString();
    }
}
