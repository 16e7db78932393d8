package dev.lacuna.bridge;

import java.util.List;

/** The training processes of this machine that carry an agent. Implemented over the rendezvous directory. */
public interface TrainingProcesses {
    /** Living processes, newest first. Files that are damaged or not to be trusted are left out. */
    List<TrainingProcess> living() throws BridgeException;

    /** Black boxes of processes that are dead, newest first. */
    List<TrainingProcess> blackBoxes() throws BridgeException;

    /** Attaches read-only to a living process. */
    AttachedProcess attach(long pid) throws BridgeException;

    /** Opens a telemetry file, of a living process or a dead one, read-only; for a dead one {@code apply} fails with GONE. */
    AttachedProcess open(TrainingProcess process) throws BridgeException;
}
