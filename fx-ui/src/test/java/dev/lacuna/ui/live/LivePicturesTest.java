package dev.lacuna.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Labeled;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Shows the live place in both themes, both languages and two sizes; with {@code -Dlacuna.shots=DIR} saves the pictures. */
@Tag("ui")
@ExtendWith(ApplicationExtension.class)
class LivePicturesTest {
    private static final double[][] SIZES = {{1280, 800}, {1920, 1080}};

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
        for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
            for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                for (double[] size : SIZES) {
                    shoot(name, language, theme, size);
                }
            }
        }
    }

    private void shoot(String name, Language language, ThemeChoice theme, double[] size) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
                    window.settings.languageProperty().set(language);
                    window.settings.themeProperty().set(theme);
                    window.resize(size[0], size[1]);
                })
                .get();
        TimeUnit.MILLISECONDS.sleep(600);
        String dress =
                "%s-%s-%s-%d".formatted(name, language, theme, (int) size[0]).toLowerCase(Locale.ROOT);
        WaitForAsyncUtils.asyncFx(() -> {
                    String folder = System.getProperty("lacuna.shots", "");
                    if (!folder.isEmpty()) {
                        window.shoot(new File(folder, dress + ".png"));
                    }
                    assertThat(cutOff(window.place.view())).as(dress).isEmpty();
                    return true;
                })
                .get();
    }

    /** Labels that had to shorten their words, other than those meant to: a long command, its facts, a line of the feed. */
    private static List<String> cutOff(Node root) {
        return below(root)
                .filter(n -> n instanceof Labeled && n.isVisible())
                .map(Labeled.class::cast)
                .filter(l -> l.getText() != null && !l.getText().isEmpty())
                .filter(l -> l.getStyleClass().stream()
                        .noneMatch(c ->
                                List.of("facts", "feed-words", "place-title").contains(c)))
                .filter(l -> shown(l).endsWith("…") && !l.getText().endsWith("…") || shown(l).endsWith("..."))
                .map(l -> l.getText() + " → " + shown(l))
                .toList();
    }

    /** Visible nodes; a selector list such as ".label, .button" is not understood by lookupAll. */
    private static Stream<Node> below(Node node) {
        Stream<Node> children = node instanceof Parent parent && node.isVisible()
                ? parent.getChildrenUnmodifiable().stream().flatMap(LivePicturesTest::below)
                : Stream.empty();
        return Stream.concat(Stream.of(node), children);
    }

    private static String shown(Labeled label) {
        return label.lookupAll(".text").stream()
                .filter(Text.class::isInstance)
                .map(t -> ((Text) t).getText())
                .findFirst()
                .orElse("");
    }
}
