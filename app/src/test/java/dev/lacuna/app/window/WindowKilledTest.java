package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.launch.LaunchSettings;
import dev.lacuna.bridge.launch.LaunchedTraining;
import dev.lacuna.bridge.launch.TorchPython;
import dev.lacuna.bridge.launch.TrainingLauncher;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.util.WaitForAsyncUtils;

/** A window that is killed in the middle of a change leaves the training as it was. */
@Tag("ui")
class WindowKilledTest {
    private static final long PATIENCE_S = 120;

    /** Trains until a file named stop is there, or as many steps as are asked for; notes each loss to the bit. */
    private static final String SCRIPT = """
            import os, sys
            os.environ["LACUNA_LINK"] = "200MB/s"
            import torch
            notes, stop, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
            torch.set_num_threads(1)
            torch.manual_seed(11)
            def block():
                return torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.Tanh())
            model = torch.nn.Sequential(*[block() for _ in range(12)])
            optimiser = torch.optim.SGD(model.parameters(), 0.1)
            with open(notes, "w") as file:
                for step in range(steps):
                    loss = model(torch.randn(2048, 256)).square().mean()
                    loss.backward()
                    optimiser.step()
                    optimiser.zero_grad()
                    weights = sum(weight.double().sum().item() for weight in model.parameters())
                    print(loss.item().hex(), weights.hex(), file=file, flush=True)
                    if os.path.exists(stop):
                        break
            """;

    @TempDir
    Path folder;

    @Test
    void training_goes_on_to_the_bit_when_the_window_is_killed_while_it_changes_swapping() throws Exception {
        Optional<Path> python = TorchPython.find();
        assumeTrue(python.isPresent(), "PyTorch is needed");
        Path script = Files.writeString(folder.resolve("train.py"), SCRIPT);
        Path rendezvous = Files.createDirectory(
                folder.resolve("rendezvous"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path notes = folder.resolve("notes");
        Path stop = folder.resolve("stop");
        LaunchSettings settings = LaunchSettings.USUAL.withCapacity(1L << 30).withRendezvous(rendezvous);
        try (LaunchedTraining training = new TrainingLauncher(AgentPackage.unpack())
                .script(python.get(), script, List.of(notes.toString(), stop.toString(), "1000000"), settings)) {
            LocalTrainingProcesses processes = new LocalTrainingProcesses(rendezvous, "test");
            waitFor(() -> !processes.living().isEmpty());
            killWindow(processes, training);
            int after = Files.readAllLines(notes).size() + 3;
            waitFor(() -> Files.readAllLines(notes).size() > after);
            Files.createFile(stop);
            assertThat(training.onExit().get(PATIENCE_S, TimeUnit.SECONDS))
                    .as(String.join("\n", training.output()))
                    .isZero();
        }

        List<String> changed = Files.readAllLines(notes);
        Path alone = folder.resolve("alone");
        Process plain = new ProcessBuilder(
                        python.get().toString(),
                        script.toString(),
                        alone.toString(),
                        folder.resolve("never").toString(),
                        String.valueOf(changed.size()))
                .inheritIO()
                .start();
        assertThat(plain.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(alone)).isEqualTo(changed);
    }

    /** With copies under way, as soon as the change was clicked. */
    private void killWindow(LocalTrainingProcesses processes, LaunchedTraining training) throws Exception {
        Process window = window(processes);
        try (BufferedReader said = window.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("swapping");
            waitFor(() -> movingBytes(processes, training) > 0);
            window.outputWriter(StandardCharsets.UTF_8).append("off\n").flush();
            assertThat(said.readLine()).isEqualTo("off");
            window.destroyForcibly();
            assertThat(window.waitFor()).as("killed").isEqualTo(137);
        } finally {
            window.destroyForcibly();
        }
        waitFor(() -> broughtBackBytes(processes, training) > 0);
    }

    private Process window(LocalTrainingProcesses processes) throws Exception {
        assertThat(processes.living()).hasSize(1);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SwapChangingWindow.class.getName(),
                        folder.resolve("rendezvous").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static long movingBytes(LocalTrainingProcesses processes, LaunchedTraining training) throws Exception {
        try (AttachedProcess reader = processes.attach(training.pid())) {
            Answer<LayerPlaces> answer = reader.swapping().orElseThrow().layers(0);
            return answer instanceof Answer.Given<LayerPlaces> given
                    ? given.value().layers().stream()
                            .mapToLong(layer -> layer.outBytes() + layer.inBytes())
                            .sum()
                    : 0;
        }
    }

    private static long broughtBackBytes(LocalTrainingProcesses processes, LaunchedTraining training) throws Exception {
        try (AttachedProcess reader = processes.attach(training.pid())) {
            return reader.sample().devices().get(0).swap().swappedInBytes();
        }
    }

    private static void waitFor(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(PATIENCE_S, TimeUnit.SECONDS, condition);
    }
}
