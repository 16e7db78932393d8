package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.CutOffText;
import dev.lacuna.ui.fakes.LayoutFaults;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.window.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.stage.Stage;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/**
 * Lays out every place at six sizes, in both themes and languages, at scale 1 and 2, and finds what lies on something else or is cut off;
 * with {@code -Dlacuna.shots=DIR} it saves pictures. A sample of it runs every time.
 */
@Tag("ui")
@ExtendWith(ApplicationExtension.class)
class EveryPlaceLayoutTest {
    /** The last is a screen of 3,840 × 2,160 at scale 1; at scale 2 it has the room of the one before. */
    private static final int[][] SIZES = {{900, 575}, {1024, 768}, {1280, 800}, {1440, 900}, {1920, 1080}, {3840, 2160}
    };

    /** Each of them is whole on hover. */
    private static final String[] MAY_SHORTEN = {
        "may-shorten", "feed-words", "remedy-command", "timeline-moment", "status-command"
    };

    private EveryPlace every;

    private record Look(Language language, ThemeChoice theme, int[] size, int scale) {
        String name(String scene) {
            return "%s-%s-%s-%dx%d@%d"
                    .formatted(scene, language, theme, size[0], size[1], scale)
                    .toLowerCase(Locale.ROOT);
        }
    }

    @Start
    void open(Stage stage) {
        every = new EveryPlace(stage);
    }

    @AfterEach
    void close() {
        every.close();
    }

    @Test
    void nothing_overlaps_or_is_clipped_in_the_smallest_and_a_usual_window(FxRobot robot) throws Exception {
        check(
                robot,
                List.of(
                        new Look(Language.ENGLISH, ThemeChoice.DARK, SIZES[0], 1),
                        new Look(Language.CHINESE, ThemeChoice.LIGHT, SIZES[0], 2),
                        new Look(Language.ENGLISH, ThemeChoice.LIGHT, SIZES[3], 1)));
    }

    @Test
    @Tag("nightly")
    void nothing_overlaps_or_is_clipped_in_any_window(FxRobot robot) throws Exception {
        List<Look> all = new ArrayList<>();
        for (int[] size : SIZES) {
            for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
                for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                    all.add(new Look(language, theme, size, 1));
                    all.add(new Look(language, theme, size, 2));
                }
            }
        }
        check(robot, all);
    }

    private void check(FxRobot robot, List<Look> looks) throws Exception {
        SoftAssertions all = new SoftAssertions();
        every.fill();
        for (Place place : every.places) {
            fx(() -> {
                every.window.context.navigator().show(place.id());
                every.exampleOf(place)
                        .flatMap(query -> robot.lookup(query).tryQueryAs(ButtonBase.class))
                        .ifPresent(ButtonBase::fire);
                return true;
            });
            for (String awaited : EveryPlace.awaitedIn(place).stream().toList()) {
                waitFor(() -> robot.lookup(awaited).tryQuery().isPresent());
            }
            for (Look look : looks) {
                List<String> faults = faults(place, look);
                all.assertThat(faults).as(look.name(place.id())).isEmpty();
            }
        }
        all.assertAll();
    }

    private List<String> faults(Place place, Look look) throws Exception {
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
        TimeUnit.MILLISECONDS.sleep(350);
        return fx(() -> {
            assertThat(every.window.stage.getScene().getWidth()).isEqualTo(look.size()[0]);
            every.window.shoot(look.name(place.id()));
            Node root = every.window.stage.getScene().getRoot();
            return Stream.concat(LayoutFaults.below(root).stream(), CutOffText.below(root, MAY_SHORTEN).stream())
                    .toList();
        });
    }
}
