package dev.lacuna.app.window;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.stage.Stage;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/**
 * The real window as a program of its own, to be killed: attaches to the only process of a rendezvous folder, turns swapping
 * on, says {@code swapping}, and switches to what each line of its input names, which it says once it was clicked.
 */
public final class SwapChangingWindow {
    private static final long PATIENCE_S = 120;

    private final FxRobot robot = new FxRobot();

    private SwapChangingWindow() {}

    /** @param arguments the rendezvous folder */
    public static void main(String[] arguments) throws Exception {
        LocalTrainingProcesses processes = new LocalTrainingProcesses(Path.of(arguments[0]), "window");
        Stage stage = FxToolkit.registerPrimaryStage();
        new SwapChangingWindow().run(stage, processes);
    }

    private void run(Stage stage, LocalTrainingProcesses processes) throws Exception {
        TrainingProcess process = processes.living().get(0);
        robot.interact(() -> {
            Wiring wiring = new Wiring(stage, processes, KeptSettings.usual());
            wiring.open(WindowOpening.on(java.util.List.of()));
            wiring.session().attach(process);
        });
        click("#rail-swap");
        click("#swap-mode-all");
        click("#consent-yes");
        System.out.println("swapping");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String mode = input.readLine(); mode != null; mode = input.readLine()) {
            click("#swap-mode-" + mode);
            System.out.println(mode);
        }
    }

    private void click(String query) throws Exception {
        WaitForAsyncUtils.waitFor(
                PATIENCE_S,
                TimeUnit.SECONDS,
                () -> robot.lookup(query)
                        .<Node>tryQuery()
                        .filter(node ->
                                !node.isDisabled() && node.getBoundsInLocal().getWidth() > 0)
                        .isPresent());
        robot.interact(() -> robot.lookup(query).<ButtonBase>query().fire());
    }
}
