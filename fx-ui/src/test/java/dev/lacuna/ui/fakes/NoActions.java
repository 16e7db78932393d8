package dev.lacuna.ui.fakes;

import dev.lacuna.ui.places.processes.ProcessActions;

/** Where the list of processes leads to in a window that is only looked at. */
public final class NoActions implements ProcessActions {
    @Override
    public void showAttached() {}

    @Override
    public void diagnose(String source, String message) {}

    @Override
    public void openFile() {}

    @Override
    public void pasteLog() {}

    @Override
    public void startDemo() {}
}
