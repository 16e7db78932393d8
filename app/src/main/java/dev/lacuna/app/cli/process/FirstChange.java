package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.SystemTerminal;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import picocli.CommandLine.Option;

/** What every command takes that changes a process which was not prepared: whether the person at the terminal is asked first. */
public final class FirstChange {
    @Option(
            names = {"-y", "--yes"},
            descriptionKey = "yes")
    private boolean yes;

    /** Whether the person said so in advance. */
    boolean isAgreed() {
        return yes;
    }

    /**
     * Asks, unless that was done or nobody is to be asked.
     *
     * @param json whether a program reads the answer
     */
    public void require(AttachedProcess process, boolean json) throws BridgeException {
        new ControlQuestion(new SystemTerminal(), Bridge.permits(), yes || json).require(process);
    }
}
