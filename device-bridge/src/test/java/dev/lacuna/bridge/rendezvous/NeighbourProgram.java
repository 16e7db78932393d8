package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import java.nio.file.Path;

/** A reader that is process 1 of a container: says whom it sees, and whether its own pid is taken for theirs. */
final class NeighbourProgram {
    private NeighbourProgram() {}

    public static void main(String[] arguments) throws Exception {
        LocalTrainingProcesses processes = new LocalTrainingProcesses(Path.of(arguments[0]), "neighbour");
        TrainingProcess seen = processes.living().get(0);
        System.out.println(seen.id());
        try (AttachedProcess wrong = processes.attach(ProcessHandle.current().pid())) {
            System.out.println("attached " + wrong.process().id());
        } catch (BridgeException e) {
            System.out.println("refused");
        }
        try (AttachedProcess attached = processes.attach(seen.id())) {
            System.out.println(attached.apply(Change.optimisation(true)) instanceof Reply.Applied ? "applied" : "not");
        }
    }
}
