package dev.lacuna.ui.window;

/**
 * One thing that the operator is told.
 *
 * @param kind how grave
 * @param headline one line
 * @param detail why and what to do; may be empty
 * @param report what to paste into a bug report (a stack trace); never shown, only copied; may be empty
 */
public record Notice(Kind kind, String headline, String detail, String report) {
    /** How grave it is. */
    public enum Kind {
        /** Something was done. */
        DONE,
        /** Something was done, but not as wished, or at a risk. */
        WARNING,
        /** Something could not be done. */
        FAILED,
        /** The program itself has a fault. */
        FAULT
    }
}
