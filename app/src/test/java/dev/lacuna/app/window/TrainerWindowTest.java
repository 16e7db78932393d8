package dev.lacuna.app.window;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.bridge.launch.TorchPython;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.framework.junit5.ApplicationExtension;

/** What tests of the real window over a real trainer begin and end with. Skipped where no Python has PyTorch. */
@Tag("ui")
@ExtendWith(ApplicationExtension.class)
abstract class TrainerWindowTest {
    private Optional<TrainerWindow> window = Optional.empty();

    @TempDir
    private Path folder;

    /** For the subclass's start: a trainer on a virtual device of this capacity, called with these arguments. */
    final void open(Stage primary, KeptSettings settings, long capacityBytes, List<String> arguments) throws Exception {
        Optional<Path> python = TorchPython.find();
        if (python.isPresent()) {
            window = Optional.of(TrainerWindow.open(primary, python.get(), folder, capacityBytes, settings, arguments));
        }
    }

    @AfterEach
    void close() {
        window.ifPresent(TrainerWindow::close);
    }

    final TrainerWindow window() {
        assumeTrue(window.isPresent(), "no Python with PyTorch on this machine");
        return window.orElseThrow();
    }
}
