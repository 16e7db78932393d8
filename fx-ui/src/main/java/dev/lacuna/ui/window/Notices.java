package dev.lacuna.ui.window;

/** Where places tell the operator something in passing. Texts are already in the window's language. UI thread only. */
public interface Notices {
    /** A short word that something was done; goes away by itself. */
    void inform(String text);

    /**
     * Something was done, but not as wished, or at a risk; stays until dismissed.
     *
     * @param headline what was done, one line
     * @param detail what is to be minded; may be empty
     */
    void warn(String headline, String detail);

    /**
     * Something could not be done; stays until dismissed.
     *
     * @param headline what could not be done, one line
     * @param detail why and what to do; may be empty
     */
    void fail(String headline, String detail);
}
