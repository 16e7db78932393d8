package dev.lacuna.ui.theme;

/** What the window looks like now. */
public enum Appearance {
    LIGHT,
    DARK
}
