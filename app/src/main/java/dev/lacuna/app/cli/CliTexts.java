package dev.lacuna.app.cli;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The command line's texts in the language of the environment. */
final class CliTexts {
    static final String BUNDLE = "dev.lacuna.app.cli.messages";

    private static final ResourceBundle TEXTS = ResourceBundle.getBundle(
            BUNDLE,
            Locale.getDefault(),
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));

    private CliTexts() {}

    /** The text of this key with its arguments filled in. Numbers are passed as strings where digits matter. */
    static String text(String key, Object... args) {
        return new MessageFormat(TEXTS.getString(key), Locale.ROOT).format(args);
    }

    static ResourceBundle bundle() {
        return TEXTS;
    }
}
