package dev.lacuna.app.window;

import dev.lacuna.app.settings.SettingsFile;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.ui.parts.FileLocation;
import java.util.List;
import java.util.Optional;
import javafx.application.Application;
import javafx.scene.image.Image;
import javafx.stage.Stage;

/** JavaFX's entry: makes the window over this machine's training processes. */
public final class LacunaApplication extends Application {
    /** Set by {@link WindowLauncher} before launch; JavaFX makes the application itself and passes only strings. */
    static WindowOpening opening = WindowOpening.on(List.of());

    private Optional<Wiring> wiring = Optional.empty();

    @Override
    public void start(Stage stage) throws BridgeException {
        stage.getIcons().add(new Image(LacunaApplication.class.getResourceAsStream("lacuna.png")));
        FileLocation.openBy(getHostServices()::showDocument);
        Wiring wired = new Wiring(stage, Reachable.ofThisMachine(), SettingsFile.ofThisUser());
        wiring = Optional.of(wired);
        wired.open(opening);
    }

    @Override
    public void stop() {
        wiring.ifPresent(Wiring::close);
    }
}
