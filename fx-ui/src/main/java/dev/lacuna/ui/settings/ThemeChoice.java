package dev.lacuna.ui.settings;

/** Which theme the window wears. */
public enum ThemeChoice {
    /** What the desktop prefers; light where it says nothing. */
    SYSTEM,
    LIGHT,
    DARK
}
