package dev.lacuna.core.mindformers;

import dev.lacuna.core.config.ConfigPath;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;

/** A configuration that MindFormers cannot run, or would run as nobody means it: which key, and why. */
final class InvalidSettingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ConfigPath path;
    private final transient Message why;

    InvalidSettingException(ConfigPath path, String key, Object... arguments) {
        super(path + ": " + Message.of(key, arguments).text(Locale.ROOT));
        this.path = path;
        this.why = Message.of(key, arguments);
    }

    /** A pattern that is no regular expression, or one that does not come to an end. */
    static InvalidSettingException ofPattern(ConfigPath path, PatternSyntaxException why) {
        return new InvalidSettingException(path, "pattern.syntax", why.getPattern(), why.getDescription());
    }

    ConfigPath path() {
        return path;
    }

    Message why() {
        return why;
    }
}
