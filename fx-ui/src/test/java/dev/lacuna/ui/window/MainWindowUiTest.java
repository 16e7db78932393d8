package dev.lacuna.ui.window;

import static dev.lacuna.ui.fakes.FxWait.allowControl;
import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.inScene;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.theme.Appearance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.beans.binding.StringBinding;
import javafx.event.ActionEvent;
import javafx.geometry.Bounds;
import javafx.geometry.VerticalDirection;
import javafx.scene.Node;
import javafx.scene.control.ColorPicker;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.VBox;
import javafx.scene.paint.Color;
import javafx.scene.shape.Shape;
import javafx.stage.Stage;
import org.controlsfx.control.PopOver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

@Tag("ui")
@ExtendWith(WindowExtension.class)
class MainWindowUiTest {
    private final AtomicInteger zooms = new AtomicInteger();
    private final AtomicInteger pastes = new AtomicInteger();
    private WindowFixture window;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1280, 800, w -> List.of(new TypingPlace("first"), new TypingPlace("second")))
                .setPaster(pastes::incrementAndGet);
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void goes_to_a_place_by_its_number_and_by_a_click(FxRobot robot) {
        assertThat(current()).isEqualTo("first");
        robot.press(KeyCode.CONTROL).type(KeyCode.DIGIT2).release(KeyCode.CONTROL);
        assertThat(current()).isEqualTo("second");
        robot.clickOn("#rail-first");
        assertThat(current()).isEqualTo("first");
        assertThat(window.context.settings().placeProperty().get()).isEqualTo("first");
    }

    @Test
    void gives_notices_a_room_of_their_own_that_covers_nothing(FxRobot robot) throws Exception {
        for (String text : List.of("one", "two", "three")) {
            WaitForAsyncUtils.asyncFx(() -> window.context.notices().fail(text, "why"))
                    .get();
        }
        waitFor(() -> robot.lookup(".notice").queryAll().size() == 3);
        WaitForAsyncUtils.waitForFxEvents();
        Node place = robot.lookup(".front").query();
        double bottom = inScene(place).getMaxY();
        for (Node notice : robot.lookup(".notice").queryAll()) {
            assertThat(inScene(notice).getMinY()).isGreaterThanOrEqualTo(bottom);
        }
    }

    @Test
    void shows_all_of_a_long_notice_by_keyboard(FxRobot robot) throws Exception {
        String why = "It said a great deal before it ended. ".repeat(60);
        fx(() -> {
            window.context.notices().fail("It failed", "short");
            window.context.notices().fail("It failed again", why);
            return true;
        });
        waitFor(() -> robot.lookup(".notice-all").queryAll().stream()
                        .filter(Node::isVisible)
                        .count()
                == 1);
        fx(() -> {
            robot.lookup(".notice-all").match(Node::isVisible).query().requestFocus();
            return true;
        });
        robot.type(KeyCode.SPACE);
        waitFor(() -> told(robot).filter(label -> label.getText().equals(why)).isPresent());
        // All of it, in lines: what is higher than the pop-over scrolls, and nothing is cut off.
        waitFor(() -> {
            Labeled label = told(robot).orElseThrow();
            return label.getHeight() >= label.prefHeight(label.getWidth()) - 1;
        });
        robot.type(KeyCode.ESCAPE);
        waitFor(() -> told(robot).isEmpty());
        assertThat(robot.lookup(".notice").queryAll()).hasSize(2);
    }

    /** What a pop-over tells; it is a window of its own. */
    private static Optional<Labeled> told(FxRobot robot) {
        return robot.listWindows().stream()
                .filter(PopOver.class::isInstance)
                .map(window -> (Labeled) ((ScrollPane) ((PopOver) window).getContentNode()).getContent())
                .findFirst();
    }

    @Test
    void finds_every_action_in_the_palette_and_runs_it(FxRobot robot) throws Exception {
        robot.clickOn("#away");
        robot.press(KeyCode.CONTROL).type(KeyCode.K).release(KeyCode.CONTROL);
        waitFor(() -> robot.lookup("#command-palette").tryQuery().isPresent());
        robot.write("dark").type(KeyCode.ENTER);
        waitFor(() -> !window.context.overlay().isShowing());
        assertThat(window.context.theme().appearanceProperty().get()).isEqualTo(Appearance.DARK);
        robot.press(KeyCode.CONTROL).type(KeyCode.K).release(KeyCode.CONTROL);
        waitFor(() -> robot.lookup("#palette-list").tryQuery().isPresent());
        robot.type(KeyCode.DOWN).type(KeyCode.DOWN).type(KeyCode.ENTER);
        waitFor(() -> current().equals("second"));
        robot.press(KeyCode.ALT).type(KeyCode.LEFT).release(KeyCode.ALT);
        waitFor(() -> current().equals("first"));
    }

    @Test
    void goes_through_the_units_by_key(FxRobot robot) {
        robot.clickOn("#away");
        robot.press(KeyCode.CONTROL).type(KeyCode.U).release(KeyCode.CONTROL);
        assertThat(window.context.settings().unitProperty().get()).isEqualTo(ByteUnit.MIB);
        assertThat(Texts.wordingProperty().get().unit()).isEqualTo(ByteUnit.MIB);
    }

    @Test
    void wears_the_colours_that_the_operator_chose(FxRobot robot) throws Exception {
        robot.clickOn("#status-settings");
        waitFor(() -> robot.lookup("#settings-colour-gap").tryQuery().isPresent());
        fx(() -> {
            window.context.settings().themeProperty().set(ThemeChoice.LIGHT);
            window.context.settings().paletteProperty().set(PaletteChoice.OWN);
            ColorPicker picker = robot.lookup("#settings-colour-gap").queryAs(ColorPicker.class);
            picker.setValue(Color.web("#123456"));
            picker.getOnAction().handle(new ActionEvent());
            return true;
        });
        waitFor(() -> robot.lookup("#settings-card .sign.gap")
                .queryAs(Shape.class)
                .getFill()
                .equals(Color.web("#123456")));
        fx(() -> {
            robot.lookup("#settings-colours-standard").queryButton().fire();
            window.context.settings().paletteProperty().set(PaletteChoice.STANDARD);
            return true;
        });
        assertThat(window.context.settings().ownColoursProperty().get()).isEqualTo(OwnColours.NONE);
    }

    @Test
    void is_called_after_the_attached_process_first() throws Exception {
        assertThat(window.stage.getTitle()).isEqualTo("Lacuna");
        TrainingProcess process = window.machine.start(48213, "/usr/bin/python3 -u /home/me/train_gpt.py --seed 7");
        fx(() -> window.context.session().attach(process));
        waitFor(() -> window.stage.getTitle().equals("python3 train_gpt.py · 48213 – Lacuna"));
    }

    @Test
    void pastes_a_log_anywhere_but_in_a_text_field(FxRobot robot) {
        // Whatever another test has copied may be longer than a field can lay out in an hour.
        robot.interact(() -> Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, "a log")));
        robot.clickOn("#away");
        robot.press(KeyCode.CONTROL).type(KeyCode.V).release(KeyCode.CONTROL);
        assertThat(pastes).hasValue(1);
        robot.clickOn("#field-first");
        robot.press(KeyCode.CONTROL).type(KeyCode.V).release(KeyCode.CONTROL);
        assertThat(pastes).hasValue(1);
        assertThat(robot.lookup("#field-first").queryAs(TextField.class).getText())
                .isEqualTo("a log");
    }

    @Test
    void leaves_single_letters_to_a_field_that_is_typed_into(FxRobot robot) {
        robot.clickOn("#away").type(KeyCode.Z);
        assertThat(zooms).hasValue(1);
        robot.clickOn("#field-first").type(KeyCode.Z);
        assertThat(zooms).hasValue(1);
        assertThat(robot.lookup("#field-first").queryAs(TextField.class).getText())
                .isEqualTo("z");
    }

    @Test
    void lists_its_keys_and_closes_the_list_with_escape(FxRobot robot) throws Exception {
        robot.clickOn("#away").type(KeyCode.F1);
        waitFor(() -> robot.lookup("#shortcut-list").tryQuery().isPresent());
        robot.type(KeyCode.Z);
        assertThat(zooms).as("what is covered takes no keys").hasValue(0);
        robot.type(KeyCode.ESCAPE);
        waitFor(() -> !window.context.overlay().isShowing());
    }

    @Test
    void keeps_its_list_of_keys_inside_a_low_window_and_scrolls_it_with_the_wheel(FxRobot robot) throws Exception {
        fx(() -> {
            window.stage.setHeight(320);
            return true;
        });
        robot.clickOn("#status-shortcuts");
        waitFor(() -> robot.lookup("#shortcut-scroll").tryQuery().isPresent());
        Bounds card = inScene(robot.lookup("#shortcut-list").query());
        assertThat(card.getMinY()).isNotNegative();
        assertThat(card.getMaxY()).isLessThanOrEqualTo(window.stage.getScene().getHeight());
        ScrollPane scroll = robot.lookup("#shortcut-scroll").queryAs(ScrollPane.class);
        robot.moveTo("#shortcut-scroll").scroll(5, VerticalDirection.DOWN);
        waitFor(() -> scroll.getVvalue() > 0);
    }

    @Test
    void changes_its_theme_and_language_while_it_is_open(FxRobot robot) throws Exception {
        robot.press(KeyCode.CONTROL).type(KeyCode.T).release(KeyCode.CONTROL);
        assertThat(window.context.theme().appearanceProperty().get()).isEqualTo(Appearance.DARK);
        assertThat(window.context.settings().themeProperty().get()).isEqualTo(ThemeChoice.DARK);
        WaitForAsyncUtils.asyncFx(
                        () -> window.context.settings().languageProperty().set(Language.CHINESE))
                .get();
        assertThat(robot.lookup("#status-attached").queryLabeled().getText()).isEqualTo("未附加到进程");
    }

    @Test
    void no_longer_follows_the_language_once_it_is_closed(FxRobot robot) throws Exception {
        Labeled attached = robot.lookup("#status-attached").queryLabeled();
        String said = attached.getText();
        WaitForAsyncUtils.asyncFx(() -> window.stage.hide()).get();
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(attached.getText()).isEqualTo(said).isNotEqualTo("未附加到进程");
    }

    @Test
    void takes_a_threshold_only_when_it_makes_sense(FxRobot robot) throws Exception {
        robot.clickOn("#status-settings");
        waitFor(() -> robot.lookup("#settings-threshold").tryQuery().isPresent());
        robot.doubleClickOn("#settings-threshold")
                .press(KeyCode.CONTROL)
                .type(KeyCode.A)
                .release(KeyCode.CONTROL);
        robot.write("2,5");
        assertThat(window.context.settings().gapThresholdBytesProperty().get()).isEqualTo(5L << 29);
        robot.write("x");
        assertThat(window.context.settings().gapThresholdBytesProperty().get()).isEqualTo(5L << 29);
    }

    @Test
    void asks_in_the_window_before_it_changes_a_process(FxRobot robot) throws Exception {
        TrainingProcess process = window.machine.start(48213, "train");
        fx(() -> window.context.session().attach(process)).get(30, TimeUnit.SECONDS);
        CompletableFuture<Reply> refused = fx(() -> window.context.session().apply(Change.optimisation(true)));
        waitFor(() -> robot.lookup("#consent-no").tryQuery().isPresent());
        robot.clickOn("#consent-no");
        assertThat(refused.get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Reply.Refused.class, r -> assertThat(r.code()).isEqualTo(Session.READ_ONLY));
        CompletableFuture<Reply> applied = fx(() -> window.context.session().apply(Change.optimisation(true)));
        allowControl(robot);
        assertThat(applied.get(30, TimeUnit.SECONDS)).isInstanceOf(Reply.Applied.class);
        assertThat(window.machine.of(48213).asked()).containsExactly(Change.optimisation(true));
    }

    private String current() {
        WaitForAsyncUtils.waitForFxEvents();
        return window.context.navigator().currentProperty().get();
    }

    /** A place with a field to type into and a key of its own. */
    private final class TypingPlace implements Place {
        private final String id;
        private final VBox view;

        TypingPlace(String id) {
            this.id = id;
            TextField field = new TextField();
            field.setId("field-" + id);
            javafx.scene.control.Button away = new javafx.scene.control.Button("away");
            away.setId("away");
            view = new VBox(field, away);
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public StringBinding title() {
            return Texts.of("shell").bind("window.title");
        }

        @Override
        public String icon() {
            return "fth-activity";
        }

        @Override
        public Node view() {
            return view;
        }

        @Override
        public List<Shortcut> shortcuts() {
            return List.of(Shortcut.of("Z", Texts.of("shell"), "shortcut.open", zooms::incrementAndGet));
        }
    }
}
