package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.CutOffText;
import dev.lacuna.ui.fakes.LayoutFaults;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.stage.Stage;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/**
 * Lays out every place, and every tab of the planner, at six sizes, in both languages, at scale 1 and 2, each size in both themes, and finds what lies on something else or is cut off;
 * with {@code -Dlacuna.shots=DIR} it saves pictures (scripts/pictures.sh). A sample of it runs every time.
 */
class EveryPlaceLayoutTest extends EveryPlaceWalk {
    /** The last is a screen of 3,840 × 2,160 at scale 1; at scale 2 it has the room of the one before. */
    private static final int[][] SIZES = {{900, 575}, {1024, 768}, {1280, 800}, {1440, 900}, {1920, 1080}, {3840, 2160}
    };

    /** Each of them is whole on hover. */
    private static final String[] MAY_SHORTEN = {
        "may-shorten", "status-lost", "feed-words", "remedy-command", "timeline-moment", "status-command"
    };

    private record Dressed(Language language, ThemeChoice theme, int[] size, int scale) {
        String name(String scene) {
            return "%s-%s-%s-%dx%d@%d"
                    .formatted(scene, language, theme, size[0], size[1], scale)
                    .toLowerCase(Locale.ROOT);
        }
    }

    @Start
    void begin(Stage stage) {
        open(stage);
    }

    @Test
    void nothing_overlaps_or_is_clipped_in_the_smallest_and_a_usual_window(FxRobot robot) throws Exception {
        check(
                robot,
                List.of(
                        new Dressed(Language.CHINESE, ThemeChoice.LIGHT, SIZES[0], 2),
                        new Dressed(Language.ENGLISH, ThemeChoice.DARK, SIZES[3], 1)));
    }

    @Test
    @Tag("nightly")
    void nothing_overlaps_or_is_clipped_in_any_window(FxRobot robot) throws Exception {
        List<Dressed> all = new ArrayList<>();
        for (int[] size : SIZES) {
            for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
                // A theme changes colours: each size is seen in both, not each language and scale.
                boolean light = language == Language.ENGLISH;
                all.add(new Dressed(language, light ? ThemeChoice.LIGHT : ThemeChoice.DARK, size, 1));
                all.add(new Dressed(language, light ? ThemeChoice.DARK : ThemeChoice.LIGHT, size, 2));
            }
        }
        check(robot, all);
    }

    @Test
    void the_window_keeps_its_edges_where_events_were_lost(FxRobot robot) throws Exception {
        every.fill();
        every.loseEvents();
        waitFor(() -> !robot.lookup(".status-lost").queryLabeled().getText().isEmpty());
        for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
            assertThat(faults("lost", new Dressed(language, ThemeChoice.DARK, SIZES[0], 1)))
                    .isEmpty();
        }
    }

    private void check(FxRobot robot, List<Dressed> looks) throws Exception {
        SoftAssertions all = new SoftAssertions();
        walk(robot, scene -> {
            for (Dressed look : looks) {
                all.assertThat(faults(scene, look)).as(look.name(scene)).isEmpty();
            }
        });
        all.assertAll();
    }

    private List<String> faults(String scene, Dressed look) throws Exception {
        fx(() -> {
            every.window.context.settings().languageProperty().set(look.language());
            every.window.context.settings().themeProperty().set(look.theme());
            every.window.stage.setRenderScaleX(look.scale());
            every.window.stage.setRenderScaleY(look.scale());
            every.window.stage.setWidth(look.size()[0]);
            every.window.stage.setHeight(look.size()[1]);
            return true;
        });
        WaitForAsyncUtils.waitForFxEvents();
        if (look.size() == SIZES[3]) {
            // In one of the sizes the process is live, in the others it has told nothing for a while.
            every.step();
        }
        TimeUnit.MILLISECONDS.sleep(350);
        // A busy machine lays out late: what is wrong for good is still wrong after a while.
        List<String> found = faultsNow(scene, look);
        for (int again = 0; !found.isEmpty() && again < 10; again++) {
            TimeUnit.MILLISECONDS.sleep(500);
            found = faultsNow(scene, look);
        }
        return found;
    }

    private List<String> faultsNow(String scene, Dressed look) throws Exception {
        return fx(() -> {
            assertThat(every.window.stage.getScene().getWidth()).isEqualTo(look.size()[0]);
            every.window.shoot(look.name(scene));
            Node root = every.window.stage.getScene().getRoot();
            return Stream.concat(LayoutFaults.below(root).stream(), CutOffText.below(root, MAY_SHORTEN).stream())
                    .toList();
        });
    }
}
