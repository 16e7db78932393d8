package dev.lacuna.core.config.document;

/** What can be wrong with a configuration file's text. The sentences stand in {@code ConfigProblem*.properties}. */
public enum ConfigProblem {
    /** The text breaks the grammar of YAML or JSON. */
    SYNTAX,
    /** The bytes are no UTF-8. */
    NOT_TEXT,
    /** More text than any configuration has. */
    TOO_LARGE,
    /** More values than any configuration has, counting what aliases repeat. */
    TOO_MANY_VALUES,
    /** Nested more deeply than any configuration. */
    TOO_DEEP,
    /** A number with more digits than any setting has. */
    NUMBER_TOO_LONG,
    /** A tag of another type than YAML's own. */
    UNKNOWN_TAG,
    /** A value that contradicts its tag. */
    WRONG_TAG,
    /** An alias whose anchor does not come before it. */
    UNKNOWN_ALIAS,
    /** A key that is no scalar. */
    COMPLEX_KEY,
    /** A merge of something else than mappings. */
    WRONG_MERGE,
    /** More than one document. */
    SEVERAL_DOCUMENTS,
    /** No document. */
    EMPTY
}
