package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.places.diagnose.DiagnoseViewModel;
import dev.lacuna.ui.places.diagnose.LogFiles;
import dev.lacuna.ui.places.processes.ProcessSurvey;
import dev.lacuna.ui.places.processes.ProcessesPlace;
import dev.lacuna.ui.places.processes.ProcessesViewModel;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.FxTaskExecutor;
import dev.lacuna.ui.task.FxUiScheduler;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.theme.ThemeModel;
import dev.lacuna.ui.window.ConsentDialog;
import dev.lacuna.ui.window.MainWindow;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.NoticeBoard;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.WindowContext;
import java.io.File;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import org.testfx.util.WaitForAsyncUtils;

/** A window over a machine of fakes, wired as the program wires it. Made on the FX thread. */
public final class WindowFixture implements AutoCloseable {
    /** What is laid out anew a while after a change of size or language, such as tables. */
    private static final long LAYING_OUT_MS = 250;

    public final FakeProcesses machine = new FakeProcesses();
    public final WindowContext context;
    public final Stage stage;
    private final FxTaskExecutor executor = new FxTaskExecutor(new FxUiScheduler());

    public WindowFixture(Stage stage) {
        this.stage = stage;
        UiSettings settings = new UiSettings(
                new StoredSettings(ThemeChoice.LIGHT, Language.ENGLISH, 1L << 30, Optional.empty(), "", List.of()));
        Overlay overlay = new Overlay();
        NoticeBoard notices = new NoticeBoard(executor);
        Session session = new Session(machine, executor, new FxUiScheduler(), new ConsentDialog(overlay));
        context = new WindowContext(
                session,
                settings,
                new ThemeModel(settings.themeProperty(), Optional::empty, executor),
                executor,
                new FxUiScheduler(),
                notices,
                overlay,
                new Navigator());
    }

    /** Opens the window with these places at the upper left corner of the screen. */
    public MainWindow open(double width, double height, Function<WindowFixture, List<Place>> places) {
        MainWindow window = new MainWindow(stage, context, places.apply(this));
        stage.setX(0);
        stage.setY(0);
        stage.setWidth(width);
        stage.setHeight(height);
        window.show();
        return window;
    }

    /** The place of diagnosis over this machine. */
    public DiagnosePlace diagnose(LogFiles files) {
        DiagnoseViewModel model = new DiagnoseViewModel(
                context.session(), context.settings(), context.executor(), context.ui(), context.notices(), files);
        return new DiagnosePlace(model, context.navigator());
    }

    /** The place of processes over this machine, which leads nowhere. */
    public ProcessesPlace processes() {
        ProcessesViewModel model = new ProcessesViewModel(
                new ProcessSurvey(MachineProcesses.of(machine), machine, Clock.systemUTC()),
                context.session(),
                context.executor(),
                context.notices(),
                new NoActions());
        return new ProcessesPlace(model, context.notices());
    }

    /** Saves what the window shows, on the FX thread; only when the system property {@code lacuna.shots} names a folder. */
    public void shoot(String name) throws IOException {
        String folder = System.getProperty("lacuna.shots", "");
        if (!folder.isEmpty()) {
            File file = new File(folder, name + ".png");
            ImageIO.write(SwingFXUtils.fromFXImage(stage.getScene().snapshot(null), null), "png", file);
        }
    }

    /** What is looked at in each dress, on the FX thread. */
    @FunctionalInterface
    public interface Look {
        void at(Dress dress) throws Exception;
    }

    /**
     * Shows this scene in each dress that is worn, saves its pictures where they are asked for, and leaves the window in the dress it
     * was in. Not on the FX thread.
     */
    public void inEachDress(String scene, Look look) throws Exception {
        Dress before = WaitForAsyncUtils.asyncFx(this::dress).get();
        for (Dress dress : Dress.worn()) {
            wear(dress);
            WaitForAsyncUtils.asyncFx(() -> {
                        shoot(dress.name(scene));
                        look.at(dress);
                        return true;
                    })
                    .get();
        }
        wear(before);
    }

    /** Saves the pictures of this scene in each dress that is worn, where they are asked for. Not on the FX thread. */
    public void shootAll(String scene) throws Exception {
        if (!System.getProperty("lacuna.shots", "").isEmpty()) {
            inEachDress(scene, dress -> {});
        }
    }

    private Dress dress() {
        UiSettings settings = context.settings();
        return new Dress(
                settings.languageProperty().get(), settings.themeProperty().get(), (int) stage.getWidth(), (int)
                        stage.getHeight());
    }

    private void wear(Dress dress) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
                    context.settings().languageProperty().set(dress.language());
                    context.settings().themeProperty().set(dress.theme());
                    stage.setWidth(dress.width());
                    stage.setHeight(dress.height());
                })
                .get();
        WaitForAsyncUtils.waitForFxEvents();
        TimeUnit.MILLISECONDS.sleep(LAYING_OUT_MS);
        WaitForAsyncUtils.waitForFxEvents();
    }

    /** Ends its threads, and leaves the texts of all windows as they were before it. */
    @Override
    public void close() {
        if (Platform.isFxApplicationThread()) {
            forgetLanguage();
        } else {
            WaitForAsyncUtils.waitForAsyncFx(10_000, WindowFixture::forgetLanguage);
        }
        executor.close();
    }

    private static void forgetLanguage() {
        Texts.letGo(Texts.languageProperty());
        Texts.languageProperty().set(Language.SYSTEM);
        Texts.unitProperty().set(ByteUnit.FITTING);
    }
}
