package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.base.Sentence;
import dev.lacuna.core.base.Words;
import dev.lacuna.core.config.document.ConfigPath;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;

/** A configuration that MindFormers cannot run, or would run as nobody means it: which key, and why. */
public final class InvalidSettingException extends Exception {
    /** What this package tells people. */
    public static final Words WORDS = new Words("dev.lacuna.core.config.mindformers.messages");

    private static final long serialVersionUID = 1L;

    private final transient ConfigPath path;
    private final transient Sentence why;

    public InvalidSettingException(ConfigPath path, String key, Object... arguments) {
        super(path + ": " + WORDS.of(key, arguments).text(Locale.ROOT));
        this.path = path;
        this.why = WORDS.of(key, arguments);
    }

    /** A pattern that is no regular expression, or one that does not come to an end. */
    public static InvalidSettingException ofPattern(ConfigPath path, PatternSyntaxException why) {
        return new InvalidSettingException(path, "pattern.syntax", why.getPattern(), why.getDescription());
    }

    public ConfigPath path() {
        return path;
    }

    public Sentence why() {
        return why;
    }
}
