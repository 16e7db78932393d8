package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.base.Sentence;
import dev.lacuna.core.config.document.ConfigPath;

/**
 * Something that the framework does not say, but a person would want to know.
 *
 * @param path the setting it is about
 */
public record Note(Kind kind, ConfigPath path, Sentence message) {
    /** What a note is about. */
    public enum Kind {
        /** Two settings meet on one operator and one of them is void. */
        CONFLICT,
        /** Where a setting acts that the grid does not show. */
        EFFECT,
        /** A setting that changes nothing. */
        WITHOUT_EFFECT,
        /** Something that must hold outside these sections. */
        ENVIRONMENT;

        /** Its name in JSON: {@code without-effect}. */
        public String id() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
