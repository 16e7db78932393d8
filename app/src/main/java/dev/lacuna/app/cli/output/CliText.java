package dev.lacuna.app.cli.output;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The command line's texts in the language of the environment. */
public final class CliText {
    public static final String BUNDLE = "dev.lacuna.app.cli.messages";

    private static final ResourceBundle TEXTS = ResourceBundle.getBundle(
            BUNDLE,
            Locale.getDefault(),
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));

    private CliText() {}

    /** The text of this key with its arguments filled in. Numbers are passed as strings where digits matter. */
    public static String text(String key, Object... args) {
        return new MessageFormat(TEXTS.getString(key), Locale.ROOT).format(args);
    }

    public static ResourceBundle bundle() {
        return TEXTS;
    }
}
