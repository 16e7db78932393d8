package dev.lacuna.core.config.document;

/** How large a configuration may be: far beyond real ones, far below what would hurt this program. */
final class ConfigLimits {
    /** Characters of text: 4 Mi. */
    static final int CHARACTERS = 4 << 20;
    /** Characters of a line of YAML, whose parser takes quadratic time for it: 1 Mi. */
    static final int LINE = 1 << 20;
    /** Values, counting each use of an alias: real files have some hundreds. */
    static final int VALUES = 200_000;
    /** Levels of nesting. */
    static final int DEPTH = 64;
    /** Digits of a number. */
    static final int DIGITS = 100;

    private ConfigLimits() {}
}
