package dev.lacuna.core.config.document;

import dev.lacuna.core.base.Translations;
import java.io.IOException;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** A configuration file that could not be understood: what is wrong, and on which line. */
public final class ConfigFormatException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_DETAIL = 200;

    private final ConfigProblem problem;
    private final int line;
    private final String detail;

    ConfigFormatException(ConfigProblem problem, int line, String detail) {
        super(message(Locale.ROOT, problem, line, printable(detail)));
        this.problem = problem;
        this.line = line;
        this.detail = printable(detail);
    }

    /** What is wrong. */
    public ConfigProblem problem() {
        return problem;
    }

    /** The line, from 1. */
    public int line() {
        return line;
    }

    /** The message in the default locale's language. */
    @Override
    public String getLocalizedMessage() {
        return text(Locale.getDefault());
    }

    /** The message in this language. */
    public String text(Locale locale) {
        return message(locale, problem, line, detail);
    }

    private static String message(Locale locale, ConfigProblem problem, int line, String detail) {
        ResourceBundle texts = Translations.of(ConfigProblem.class.getName(), locale);
        String sentence = MessageFormat.format(texts.getString(problem.name()), detail);
        return MessageFormat.format(texts.getString("AT"), Integer.toString(line), sentence);
    }

    /** Untrusted text, fit for one line of a message. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(LONGEST_DETAIL).forEach(c -> {
            if (Character.isISOControl(c)) {
                out.append(' ');
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }
}
