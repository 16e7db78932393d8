package dev.lacuna.app.window;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.Attacher;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.find.EveryProcess;
import dev.lacuna.bridge.graft.FrontDoor;
import dev.lacuna.bridge.graft.Graft;
import dev.lacuna.bridge.graft.LocalAttacher;
import dev.lacuna.bridge.graft.NativeGraft;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The processes that a window can reach.
 *
 * @param prepared those that carry an agent or are attached
 * @param every all of them
 * @param attacher attaches to others
 * @param takeOver puts agents in the place of what was attached
 */
public record Reachable(TrainingProcesses prepared, MachineProcesses every, Attacher attacher, TakeOver takeOver) {
    private static final String BY = "window";

    /** Those of this machine. */
    public static Reachable ofThisMachine() throws BridgeException {
        LocalTrainingProcesses local = LocalTrainingProcesses.standard(BY);
        Graft graft = new NativeGraft();
        return new Reachable(
                local,
                EveryProcess.ofThisMachine(local, local.directory(), graft),
                new LocalAttacher(local, graft, BY, ProcessHandle.current().pid()),
                new FrontDoor(local));
    }

    /** Those that carry an agent, and no others. */
    static Reachable prepared(TrainingProcesses processes) {
        return new Reachable(
                processes,
                MachineProcesses.of(processes),
                new Nobody(),
                (process, told) -> new Answer.Refused<>("cannot", "this program lacks the library that attaches"));
    }

    /** Attaches to nothing. */
    private static final class Nobody implements Attacher {
        @Override
        public Outcome attach(FoundProcess process, Consumer<Duration> waiting) {
            return new Outcome.Refused(Obstacle.of(Obstacle.Kind.NO_LIBRARY, ""));
        }

        @Override
        public Answer<Boolean> detach(TrainingProcess process) {
            return new Answer.Refused<>("not-attached", "process " + process.id() + " was not attached");
        }
    }
}
