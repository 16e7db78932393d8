package dev.lacuna.ui.places.recording;

import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Opens real snapshots in the window; with {@code -Dlacuna.shots=DIR} saves pictures in both themes, both languages, three sizes. */
@Tag("ui")
@Tag("conformance")
@ExtendWith(WindowExtension.class)
class RecordingPicturesTest {
    private static final double[][] SIZES = {{1280, 800}, {1600, 900}, {1920, 1080}};
    private static final List<String> SHOWN = List.of("ctx128_fullstep", "Constructor-Sun", "with_multi_devices");

    private RecordingWindow window;

    @Start
    void open(Stage stage) {
        window = new RecordingWindow(stage, new FakeRecordingFiles(), 1600, 900);
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    @Tag("nightly")
    void shows_real_snapshots_in_any_dress() throws Exception {
        shoot("empty", 1280, 800, ThemeChoice.LIGHT, Language.ENGLISH);
        for (String name : SHOWN) {
            String path = file(name);
            fx(() -> window.model.open(path));
            waitFor(() -> window.model.timelineProperty().get().isPresent());
            assertThat(window.model.stateProperty().get()).isEqualTo(RecordingViewModel.State.SHOWN);
            shoot(name, 1600, 900, ThemeChoice.DARK, Language.ENGLISH);
            shoot(name, 1280, 800, ThemeChoice.LIGHT, Language.CHINESE);
            if (name.equals(SHOWN.get(0))) {
                for (double[] size : SIZES) {
                    for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                        shoot(name, size[0], size[1], theme, Language.ENGLISH);
                    }
                }
            }
        }
    }

    private static String file(String part) throws Exception {
        Path folder = Path.of(System.getProperty("lacuna.data"), "snapshots");
        assumeTrue(Files.isDirectory(folder), () -> folder + " is not there");
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> found = files.filter(f -> f.getFileName().toString().contains(part))
                    .sorted()
                    .findFirst();
            assumeTrue(found.isPresent(), () -> part + " is not in this set");
            return found.orElseThrow().toString();
        }
    }

    private void shoot(String name, double width, double height, ThemeChoice theme, Language language)
            throws Exception {
        fx(() -> {
            window.fixture.stage.setWidth(width);
            window.fixture.stage.setHeight(height);
            window.fixture.context.settings().themeProperty().set(theme);
            window.fixture.context.settings().languageProperty().set(language);
        });
        Thread.sleep(200);
        WaitForAsyncUtils.waitForFxEvents();
        String file = String.join("-", "snapshot", name, (int) width + "", theme.name(), language.name());
        WaitForAsyncUtils.asyncFx(() -> {
                    window.fixture.shoot(file.toLowerCase());
                    return true;
                })
                .get();
    }

    private static void fx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get();
        WaitForAsyncUtils.waitForFxEvents();
    }
}
