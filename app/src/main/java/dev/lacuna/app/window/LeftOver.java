package dev.lacuna.app.window;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.OpenFile;
import java.io.File;
import java.util.List;
import java.util.Optional;

/**
 * What there still is of what was left open. Files that are gone and processes that have ended are left out without a word.
 *
 * @param process the attached process, if it lives
 * @param files the files
 */
record LeftOver(Optional<TrainingProcess> process, List<OpenFile> files) {
    LeftOver {
        files = List.copyOf(files);
    }

    /** Looks for it. Slow (a file may lie on a disk that sleeps): never on the UI thread. */
    static LeftOver of(LeftOpen left, TrainingProcesses processes) {
        return new LeftOver(
                living(left.process(), processes),
                left.files().stream()
                        .filter(file -> new File(file.path()).canRead())
                        .toList());
    }

    private static Optional<TrainingProcess> living(String name, TrainingProcesses processes) {
        if (name.isEmpty()) {
            return Optional.empty();
        }
        try {
            return processes.living().stream()
                    .filter(process -> process.nameForGood().equals(name))
                    .findFirst();
        } catch (BridgeException cannotLook) {
            // The list of processes says so itself, and goes on trying.
            return Optional.empty();
        }
    }
}
