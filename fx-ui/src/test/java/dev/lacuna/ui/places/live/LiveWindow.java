package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.ui.fakes.FakeTakeOver;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.FxTaskExecutor;
import dev.lacuna.ui.task.FxUiScheduler;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.theme.ThemeModel;
import dev.lacuna.ui.window.ConsentDialog;
import dev.lacuna.ui.window.MainWindow;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.NoticeBoard;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.WindowContext;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.embed.swing.SwingFXUtils;
import javafx.stage.Stage;
import javax.imageio.ImageIO;

/** A window with the live place in it, wired as the program wires it. Made on the FX thread. */
final class LiveWindow implements AutoCloseable {
    final Stage stage;
    final Session session;
    final UiSettings settings;
    final LivePlace place;
    final FakeTakeOver takeOver = new FakeTakeOver();
    final AtomicInteger processesAsked = new AtomicInteger();
    private final FxTaskExecutor executor = new FxTaskExecutor(new FxUiScheduler());

    LiveWindow(Stage stage, TrainingProcesses processes, ThemeChoice theme) {
        this.stage = stage;
        settings = new UiSettings(
                new StoredSettings(theme, Language.ENGLISH, 1L << 30, Optional.empty(), LivePlace.ID, List.of()));
        Overlay overlay = new Overlay();
        session = new Session(processes, executor, new FxUiScheduler(), new ConsentDialog(overlay));
        RecordingModel recording = new RecordingModel(
                session,
                new FxUiScheduler(),
                new NoticeBoard(executor),
                new RecordingModel.Ways(file -> {}, file -> {}, Path::of));
        place = new LivePlace(
                session,
                settings,
                executor,
                overlay,
                processesAsked::incrementAndGet,
                recording,
                new StockModel(
                        session,
                        Clock.systemUTC(),
                        new StockModel.Ways(takeOver, file -> {}),
                        executor,
                        new FxUiScheduler()));
        WindowContext context = new WindowContext(
                session,
                settings,
                new ThemeModel(settings.themeProperty(), Optional::empty, executor),
                executor,
                new FxUiScheduler(),
                new NoticeBoard(executor),
                overlay,
                new Navigator());
        MainWindow window = new MainWindow(stage, context, List.of(place));
        resize(1280, 800);
        window.show();
    }

    void resize(double width, double height) {
        stage.setX(0);
        stage.setY(0);
        stage.setWidth(width);
        stage.setHeight(height);
    }

    /** Saves what the window shows, on the FX thread. */
    void shoot(File file) throws IOException {
        ImageIO.write(SwingFXUtils.fromFXImage(stage.getScene().snapshot(null), null), "png", file);
    }

    @Override
    public void close() {
        session.detach();
        place.hidden();
        executor.close();
    }
}
