package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.OpenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftOverTest {
    private static final TrainingProcess PROCESS = new TrainingProcess(
            4711, 99, Instant.EPOCH, "python3 train.py", List.of(), true, ProcessState.RUNNING, Path.of("telemetry"));

    @TempDir
    Path folder;

    /** One process, or none that can be listed. */
    private record Machine(boolean broken) implements TrainingProcesses {
        @Override
        public List<TrainingProcess> living() throws BridgeException {
            if (broken) {
                throw new BridgeException(BridgeException.Reason.SYSTEM, "no rendezvous directory");
            }
            return List.of(PROCESS);
        }

        @Override
        public List<TrainingProcess> blackBoxes() {
            return List.of();
        }

        @Override
        public AttachedProcess attach(long pid) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AttachedProcess open(TrainingProcess process) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ProcessRecording record(TrainingProcess process, Path target) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void finds_the_process_that_lives_and_the_files_that_are_there() throws IOException {
        OpenFile there = new OpenFile(
                "diagnose", "", Files.createFile(folder.resolve("日志.log")).toString());
        OpenFile gone =
                new OpenFile("snapshot", "", folder.resolve("gone.pickle").toString());
        LeftOver over =
                LeftOver.of(new LeftOpen(true, PROCESS.nameForGood(), List.of(gone, there)), new Machine(false));
        assertThat(over.process()).contains(PROCESS);
        assertThat(over.files()).containsExactly(there);
    }

    @Test
    void leaves_out_another_process_with_the_same_number() {
        assertThat(LeftOver.of(new LeftOpen(true, "4711-12", List.of()), new Machine(false))
                        .process())
                .isEmpty();
    }

    @Test
    void fails_no_start_where_nothing_can_be_looked_for() {
        assertThat(LeftOver.of(new LeftOpen(true, PROCESS.nameForGood(), List.of()), new Machine(true)))
                .isEqualTo(new LeftOver(java.util.Optional.empty(), List.of()));
    }
}
