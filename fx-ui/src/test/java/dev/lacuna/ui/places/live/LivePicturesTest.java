package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.CutOffText;
import dev.lacuna.ui.fakes.Dress;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.settings.ThemeChoice;
import java.io.File;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Shows the live place in both themes, both languages and two sizes ({@link Dress}); with {@code -Dlacuna.shots=DIR} saves the pictures. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class LivePicturesTest {
    private final GeneratedTraining training = new GeneratedTraining();
    private LiveWindow window;

    @Start
    void open(Stage stage) {
        window = new LiveWindow(stage, training, ThemeChoice.DARK);
    }

    @AfterEach
    void close() throws Exception {
        WaitForAsyncUtils.asyncFx(window::close).get();
    }

    @Test
    void cuts_off_no_text_in_any_dress() throws Exception {
        shootAll("live-empty");
        training.advance(Duration.ofSeconds(58));
        WaitForAsyncUtils.asyncFx(() -> window.session.attach(training.process()))
                .get();
        TimeUnit.SECONDS.sleep(2);
        shootAll("live-off");
        training.apply(dev.lacuna.bridge.Change.optimisation(true));
        training.advance(Duration.ofSeconds(20));
        training.apply(dev.lacuna.bridge.Change.fraction(0.94));
        training.advance(Duration.ofSeconds(5));
        TimeUnit.SECONDS.sleep(1);
        shootAll("live-on");
    }

    private void shootAll(String name) throws Exception {
        for (Dress dress : Dress.worn()) {
            shoot(name, dress);
        }
    }

    private void shoot(String name, Dress dress) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
                    window.settings.languageProperty().set(dress.language());
                    window.settings.themeProperty().set(dress.theme());
                    window.resize(dress.width(), dress.height());
                })
                .get();
        TimeUnit.MILLISECONDS.sleep(600);
        WaitForAsyncUtils.asyncFx(() -> {
                    String folder = System.getProperty("lacuna.shots", "");
                    if (!folder.isEmpty()) {
                        window.shoot(new File(folder, dress.name(name) + ".png"));
                    }
                    assertThat(CutOffText.below(window.place.view(), "facts", "feed-words", "place-title"))
                            .as(dress.name(name))
                            .isEmpty();
                    return true;
                })
                .get();
    }
}
