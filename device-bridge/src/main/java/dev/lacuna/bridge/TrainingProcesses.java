package dev.lacuna.bridge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** The training processes of this machine that carry an agent. Implemented over the rendezvous directory. */
public interface TrainingProcesses {
    /** Living processes, newest first. Files that are damaged or not to be trusted are left out. */
    List<TrainingProcess> living() throws BridgeException;

    /** Black boxes of processes that are dead, newest first. */
    List<TrainingProcess> blackBoxes() throws BridgeException;

    /** Attaches read-only to a living process by its pid here. */
    AttachedProcess attach(long pid) throws BridgeException;

    /** Attaches read-only to a living process, of whatever pid namespace. */
    default AttachedProcess attach(ProcessId name) throws BridgeException {
        if (name.namespace().isPresent()) {
            throw new BridgeException(BridgeException.Reason.GONE, "there is no process " + name);
        }
        return attach(name.pid());
    }

    /** Opens a telemetry file, of a living process or a dead one, read-only; for a dead one {@code apply} fails with GONE. */
    AttachedProcess open(TrainingProcess process) throws BridgeException;

    /**
     * Begins to record a living process as a trace, through a reading of its own; an attached one that was not prepared records itself
     * for some seconds and saves a memory snapshot, which is an act of control.
     *
     * @param target the file to be; one that exists is replaced at the end. Further devices get {@code NAME.device1} and so on
     * @throws IOException when nothing can be written there
     */
    ProcessRecording record(TrainingProcess process, Path target) throws BridgeException, IOException;

    /**
     * The same for so many whole steps, where the process records itself; others are recorded until that is ended.
     *
     * @throws IOException when nothing can be written there
     */
    default ProcessRecording record(TrainingProcess process, Path target, OptionalInt steps)
            throws BridgeException, IOException {
        return record(process, target);
    }
}
