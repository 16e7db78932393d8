package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;

import dev.lacuna.ui.fakes.CutOffText;
import dev.lacuna.ui.fakes.LayoutFaults;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.window.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** Writes nonsense into every field of every place: what turns red says why, beside it, in both languages and in the smallest window. */
@Tag("nightly")
class RefusedFieldsTest extends EveryPlaceWalk {
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");
    private static final String NONSENSE = "0 apples";

    /** What is waited for in each scene, so that no field is lost to a look that came too early. */
    private static final Map<String, String> KNOWN = Map.of(
            "live", "live-fraction",
            "swap", "swap-budget",
            "whatif", "whatif-scale",
            "planner", "mf-prefetch",
            "planner-estimate", "est-capacity",
            "planner-plan", "plan-chunks",
            "settings", "settings-threshold");

    /** Each of them is whole on hover. */
    private static final String[] MAY_SHORTEN = {"may-shorten", "status-command", "feed-words", "timeline-moment"};

    private final SoftAssertions all = new SoftAssertions();
    private final List<String> refused = new ArrayList<>();

    @Start
    void begin(Stage stage) {
        open(stage);
    }

    @Test
    void every_field_that_turns_red_says_why_beside_it(FxRobot robot) throws Exception {
        resize();
        every.fill();
        for (Place place : every.places) {
            every.show(place, robot);
            look(robot, place.id());
        }
        for (String tab : EveryPlace.PLANNER_TABS) {
            every.showPlannerTab(tab, robot);
            look(robot, "planner-" + tab);
        }
        robot.push(KeyCode.CONTROL, KeyCode.COMMA);
        look(robot, "settings");
        robot.push(KeyCode.ESCAPE);
        all.assertThat(refused).containsAll(KNOWN.values());
        all.assertAll();
    }

    private void resize() throws Exception {
        fx(() -> {
            every.window.stage.setWidth(900);
            every.window.stage.setHeight(575);
            return true;
        });
    }

    private void look(FxRobot robot, String scene) throws Exception {
        TimeUnit.MILLISECONDS.sleep(300);
        Optional<String> known = Optional.ofNullable(KNOWN.get(scene));
        waitFor(() -> known.isEmpty()
                || robot.lookup("#" + known.get())
                        .tryQueryAs(TextField.class)
                        .filter(RefusedFieldsTest::isAsked)
                        .isPresent());
        List<String> fields = fx(() ->
                robot.lookup(node -> node instanceof TextField field && isAsked(field)).<TextField>queryAll().stream()
                        .map(TextField::getId)
                        .toList());
        for (String id : fields) {
            String before = fx(() -> field(robot, id).getText());
            for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
                type(robot, id, language, NONSENSE);
                check(scene, field(robot, id), language);
            }
            type(robot, id, Language.ENGLISH, before);
            all.assertThat(fx(() -> isRed(field(robot, id)) || field(robot, id).getAccessibleHelp() != null))
                    .as("%s is refused still", id)
                    .isFalse();
        }
    }

    private void type(FxRobot robot, String id, Language language, String text) throws Exception {
        fx(() -> {
            every.window.context.settings().languageProperty().set(language);
            field(robot, id).setText(text);
            return true;
        });
        TimeUnit.MILLISECONDS.sleep(250);
    }

    /** Looked for again each time: some are made anew in another language. */
    private static TextField field(FxRobot robot, String id) {
        return robot.lookup("#" + id).queryAs(TextField.class);
    }

    private void check(String scene, TextField field, Language language) throws Exception {
        fx(() -> {
            String name = scene + " " + field.getId() + " " + language;
            if (!isRed(field)) {
                return true;
            }
            refused.add(field.getId());
            String why = field.getAccessibleHelp();
            all.assertThat(why).as(name).isNotBlank();
            all.assertThat(why == null || Language.CHINESE == language == why.matches(".*\\p{IsHan}.*"))
                    .as("%s: the language of %s", name, why)
                    .isTrue();
            all.assertThat(wordsBeside(field, why)).as(name).isTrue();
            return true;
        });
        // A busy machine lays out late: what is wrong for good is still wrong after a while.
        List<String> faults = faults();
        for (int again = 0; !faults.isEmpty() && again < 10; again++) {
            TimeUnit.MILLISECONDS.sleep(500);
            faults = faults();
        }
        all.assertThat(faults).as("%s %s %s", scene, field.getId(), language).isEmpty();
    }

    private List<String> faults() throws Exception {
        return fx(() -> {
            Node root = every.window.stage.getScene().getRoot();
            return Stream.concat(LayoutFaults.below(root).stream(), CutOffText.below(root, MAY_SHORTEN).stream())
                    .toList();
        });
    }

    /** A label with these words, at the field's height or a few lines below. */
    private static boolean wordsBeside(TextField field, String why) {
        var at = field.localToScene(field.getLayoutBounds());
        return field.getScene().getRoot().lookupAll(".label").stream()
                .filter(node -> node instanceof Label label && label.getText().equals(why) && isSeen(label))
                .map(label -> label.localToScene(label.getLayoutBounds()))
                .anyMatch(words -> words.getMinY() - at.getMaxY() < 60 && words.getMaxY() > at.getMinY());
    }

    private static boolean isAsked(TextField field) {
        return isSeen(field) && field.isEditable() && field.getId() != null;
    }

    private static boolean isSeen(Node node) {
        for (Node one = node; one != null; one = one.getParent()) {
            if (!one.isVisible()) {
                return false;
            }
        }
        return true;
    }

    private static boolean isRed(TextField field) {
        return field.getPseudoClassStates().contains(DANGER);
    }
}
