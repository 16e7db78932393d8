package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.Attacher;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ControlPermits;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.find.EveryProcess;
import dev.lacuna.bridge.graft.FrontDoor;
import dev.lacuna.bridge.graft.Graft;
import dev.lacuna.bridge.graft.KeptPermits;
import dev.lacuna.bridge.graft.LocalAttacher;
import dev.lacuna.bridge.graft.NativeGraft;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;

/** The one place where the command line is wired to this machine's training processes. */
public final class Bridge {
    private static final String BY = "command-line";
    private static final Graft GRAFT = new NativeGraft();

    /** A command ends long before anybody has looked at what it attached. */
    private static final long NOBODY = 0;

    private Bridge() {}

    /** Those that carry an agent or are attached. */
    public static TrainingProcesses processes() throws BridgeException {
        return local();
    }

    /** All of them, prepared or not. */
    public static MachineProcesses everything() throws BridgeException {
        LocalTrainingProcesses local = local();
        return EveryProcess.ofThisMachine(local, local.directory(), GRAFT);
    }

    /** Attaches to those that were not prepared. */
    public static Attacher attacher() throws BridgeException {
        return new LocalAttacher(local(), GRAFT, BY, NOBODY);
    }

    /** Opens Lacuna's pools in those that are attached. */
    public static TakeOver takeOver() throws BridgeException {
        return new FrontDoor(local());
    }

    /** What the person at the terminal has allowed. */
    static ControlPermits permits() throws BridgeException {
        return new KeptPermits(local(), BY);
    }

    private static LocalTrainingProcesses local() throws BridgeException {
        return LocalTrainingProcesses.standard(BY);
    }
}
