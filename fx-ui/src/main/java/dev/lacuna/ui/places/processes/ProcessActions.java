package dev.lacuna.ui.places.processes;

/** Where the place leads to. */
public interface ProcessActions {
    /** A process was attached: show it. */
    void showAttached();

    /**
     * Diagnose this out-of-memory message.
     *
     * @param source whose it is, for the operator
     * @param message the text
     */
    void diagnose(String source, String message);

    /** Ask for a file and show it wherever it can be shown. */
    void openFile();

    /** Diagnose the log on the clipboard; where there is none, show where one can be pasted. */
    void pasteLog();

    /** Start a training process to look at. Returns at once; what goes wrong is told by whoever starts it. */
    void startDemo();
}
