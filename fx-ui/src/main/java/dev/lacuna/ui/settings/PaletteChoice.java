package dev.lacuna.ui.settings;

/** Which colours the meanings have. */
public enum PaletteChoice {
    /** The program's own. */
    STANDARD,
    /** Far apart for who sees red and green alike, and for everybody else. */
    RED_GREEN,
    /** Far apart for who sees blue and yellow alike, and for everybody else. */
    BLUE_YELLOW,
    /** What the operator made of them. */
    OWN
}
