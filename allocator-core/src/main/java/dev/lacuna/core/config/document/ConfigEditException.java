package dev.lacuna.core.config.document;

/** An edit that the text does not admit: the path leads nowhere, or through an alias or merge that other settings share. */
public final class ConfigEditException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigEditException(ConfigPath path, String why) {
        super(path + ": " + why);
    }
}
