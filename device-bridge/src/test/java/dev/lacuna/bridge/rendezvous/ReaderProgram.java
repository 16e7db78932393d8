package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Change;
import java.nio.file.Path;
import java.time.Duration;

/** A reader in a virtual machine of its own, so that a test can kill it: reads as fast as it may and commands without rest. */
final class ReaderProgram {
    private ReaderProgram() {}

    public static void main(String[] arguments) throws Exception {
        LocalTrainingProcesses processes = new LocalTrainingProcesses(Path.of(arguments[0]), "reader");
        AttachedProcess attached = processes.attach(Long.parseLong(arguments[1]));
        attached.subscribe(Duration.ofMillis(10), new Recorder());
        System.out.println("reading");
        while (true) {
            attached.sample();
            attached.apply(Change.fraction(1.0));
            processes.living();
        }
    }
}
