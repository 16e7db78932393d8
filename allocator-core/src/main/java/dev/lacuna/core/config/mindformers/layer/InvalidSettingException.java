package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.config.document.ConfigPath;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;

/** A configuration that MindFormers cannot run, or would run as nobody means it: which key, and why. */
public final class InvalidSettingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ConfigPath path;
    private final transient Message why;

    public InvalidSettingException(ConfigPath path, String key, Object... arguments) {
        super(path + ": " + Message.of(key, arguments).text(Locale.ROOT));
        this.path = path;
        this.why = Message.of(key, arguments);
    }

    /** A pattern that is no regular expression, or one that does not come to an end. */
    public static InvalidSettingException ofPattern(ConfigPath path, PatternSyntaxException why) {
        return new InvalidSettingException(path, "pattern.syntax", why.getPattern(), why.getDescription());
    }

    public ConfigPath path() {
        return path;
    }

    public Message why() {
        return why;
    }
}
