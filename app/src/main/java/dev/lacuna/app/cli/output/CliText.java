package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ProgramName;
import java.text.MessageFormat;
import java.util.Enumeration;
import java.util.Locale;
import java.util.ResourceBundle;

/** The command line's texts in the language of the environment. */
public final class CliText {
    public static final String BUNDLE = "dev.lacuna.app.cli.messages";

    private static final ResourceBundle TEXTS = ResourceBundle.getBundle(
            BUNDLE,
            Locale.getDefault(),
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));

    private static final ResourceBundle COMPLETED = new Completed();

    private CliText() {}

    /** The text of this key with its arguments filled in. Numbers are passed as strings where digits matter. */
    public static String text(String key, Object... args) {
        return ProgramName.in(new MessageFormat(TEXTS.getString(key), Locale.ROOT).format(args));
    }

    /** All of them, for who reads keys himself. */
    public static ResourceBundle bundle() {
        return COMPLETED;
    }

    /** The same with the commands in them as they can be pasted. */
    private static final class Completed extends ResourceBundle {
        @Override
        protected Object handleGetObject(String key) {
            // picocli takes them for formats.
            return TEXTS.containsKey(key)
                    ? TEXTS.getString(key)
                            .replace(ProgramName.TOKEN, ProgramName.text().replace("%", "%%"))
                    : null;
        }

        @Override
        public Enumeration<String> getKeys() {
            return TEXTS.getKeys();
        }
    }
}
