package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;

/** The one place where the command line is wired to this machine's training processes. */
public final class Bridge {
    private Bridge() {}

    public static TrainingProcesses processes() throws BridgeException {
        return LocalTrainingProcesses.standard("command-line");
    }
}
