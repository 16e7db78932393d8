package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * One setting as a slider and as an exact figure. What the operator moves is a draft, whose effect is shown before anything changes: it is
 * set by the button or Enter, and given up by Escape or the other button. What holds shows whenever there is no draft.
 *
 * @param <T> the figure; compared by {@code equals}
 */
public abstract class FigureInput<T> extends VBox {
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");
    private static final PseudoClass WARNING = PseudoClass.getPseudoClass("warning");
    private static final KeyCombination UNDO = KeyCombination.valueOf("Shortcut+Z");
    private static final KeyCombination REDO = KeyCombination.valueOf("Shortcut+Y");
    private static final Texts TEXTS = Texts.of("shell");

    /**
     * What is done with what the operator does.
     *
     * @param commit takes a figure that the operator has decided on
     * @param undo what Ctrl+Z does here while there is no draft to give up
     * @param redo what Ctrl+Y does here
     * @param leave gives the keyboard to whom it belonged, after Enter or Escape
     */
    public record Actions<T>(Consumer<T> commit, Runnable undo, Runnable redo, Runnable leave) {}

    /** How serious the effect of a figure is. */
    public enum Tone {
        CALM,
        WARNING,
        DANGER
    }

    /**
     * What a figure would come to.
     *
     * @param words in the window's language
     * @param tone how serious that is
     */
    public record Preview(String words, Tone tone) {}

    private final Actions<T> actions;
    private boolean unreadable;
    private final TextField field = new TextField();
    private final Slider slider = new Slider(0, 1, 0);
    private final Label low = new Label();
    private final Label high = new Label();
    private final Label preview = new Label();
    private final Button apply = new Button();
    private final Button discard = new Button();
    private final ReadOnlyBooleanWrapper drafting = new ReadOnlyBooleanWrapper();
    private final BooleanProperty busy = new SimpleBooleanProperty();
    private T held;
    private boolean showing;

    /**
     * @param id of the field; the slider's is the same with {@code -slider}
     * @param name of the setting
     * @param columns width of the field in characters
     * @param first holds until {@link #hold} tells otherwise
     */
    protected FigureInput(String id, StringBinding name, int columns, T first, Actions<T> actions) {
        this.actions = actions;
        this.held = first;
        Label label = Labels.of(name);
        label.setLabelFor(field);
        field.setId(id);
        field.getStyleClass().add("fraction-field");
        field.setPrefColumnCount(columns);
        field.setAlignment(Pos.CENTER_RIGHT);
        slider.setId(id + "-slider");
        slider.setBlockIncrement(0.01);
        slider.accessibleTextProperty().bind(name);
        low.getStyleClass().addAll("muted", "small");
        high.getStyleClass().addAll("muted", "small");
        HBox head = new HBox(label, space(), field);
        head.setAlignment(Pos.CENTER_LEFT);
        getStyleClass().add("fraction");
        getChildren().addAll(head, slider, new HBox(low, space(), high), preview, buttons(id));
        listen();
    }

    /** What was typed, if it is a figure that could hold. */
    protected abstract Optional<T> read(String typed);

    /** Why something that was typed is none, in one short sentence. */
    protected abstract String fault();

    /** The figure as it stands in the field. */
    protected abstract String write(T figure);

    /** The figure at this place of the slider, 0 to 1, as round as one can aim. */
    protected abstract T at(double position);

    /** The place of a figure on the slider, 0 to 1. */
    protected abstract double position(T figure);

    /** What a figure would come to. */
    protected abstract Preview preview(T figure);

    /** Whether an answer is awaited: a draft can be made, but not set. */
    public final BooleanProperty busyProperty() {
        return busy;
    }

    /** Makes this figure the draft, whose effect is shown; nothing is set. */
    public final void propose(T figure) {
        drafting.set(!figure.equals(held));
        mark(false);
        display(figure);
    }

    /** Puts the cursor into the exact figure. */
    public final void edit() {
        field.requestFocus();
        field.selectAll();
    }

    /** What holds now; shown unless the operator is at it. */
    protected final void hold(T figure) {
        held = figure;
        if (drafting.get()) {
            tell();
        } else {
            display(held);
        }
    }

    /** The exact figure. */
    protected final TextField field() {
        return field;
    }

    /** The slider. */
    protected final Slider slider() {
        return slider;
    }

    /** What stands below the slider's lower end. */
    protected final Label low() {
        return low;
    }

    /** What stands below the slider's upper end. */
    protected final Label high() {
        return high;
    }

    private static Region space() {
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        return space;
    }

    private HBox buttons(String id) {
        preview.setId(id + "-preview");
        preview.getStyleClass().addAll("muted", "small", "figure-preview");
        preview.setWrapText(true);
        preview.setMinHeight(Region.USE_PREF_SIZE);
        apply.setId(id + "-apply");
        apply.textProperty().bind(TEXTS.bind("figure.apply"));
        apply.getStyleClass().add(Styles.ACCENT);
        apply.setOnAction(e -> enter(read(field.getText())));
        apply.disableProperty().bind(busy);
        discard.setId(id + "-discard");
        discard.textProperty().bind(TEXTS.bind("figure.discard"));
        discard.setOnAction(e -> {
            revert();
            actions.leave().run();
        });
        HBox buttons = new HBox(8, space(), discard, apply);
        for (Button button : List.of(discard, apply)) {
            button.getStyleClass().add(Styles.SMALL);
            button.setMinWidth(Region.USE_PREF_SIZE);
        }
        // Their room stays: what lies below must not come to lie under the hand that has just pressed one of them.
        buttons.visibleProperty().bind(drafting);
        return buttons;
    }

    private void listen() {
        slider.valueProperty().addListener((property, before, now) -> {
            if (!showing) {
                drafting.set(true);
                field.setText(write(onSlider()));
            }
        });
        slider.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, Optional.of(onSlider())));
        field.textProperty().addListener((property, before, now) -> {
            if (!showing) {
                drafting.set(true);
                Optional<T> figure = read(now);
                mark(figure.isEmpty());
                figure.ifPresent(this::slideTo);
                tell();
            }
        });
        field.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, read(field.getText())));
    }

    private void keyed(KeyEvent event, Optional<T> figure) {
        if (event.getCode() == KeyCode.ENTER) {
            event.consume();
            enter(figure);
        } else if (event.getCode() == KeyCode.ESCAPE) {
            event.consume();
            revert();
            actions.leave().run();
        } else if (UNDO.match(event)) {
            // The field would undo its own typing; everywhere in the window this key takes back a change.
            event.consume();
            if (drafting.get()) {
                revert();
            } else {
                actions.undo().run();
            }
        } else if (REDO.match(event)) {
            event.consume();
            actions.redo().run();
        }
    }

    private void enter(Optional<T> figure) {
        if (figure.isEmpty()) {
            mark(true);
            return;
        }
        if (busy.get()) {
            return;
        }
        // Before the decision, which may ask a question: the keyboard belongs to that then.
        actions.leave().run();
        decide(figure.get());
    }

    private void revert() {
        drafting.set(false);
        mark(false);
        display(held);
    }

    private void decide(T figure) {
        boolean changes = drafting.get() && !figure.equals(held);
        drafting.set(false);
        mark(false);
        display(changes ? figure : held);
        if (changes) {
            actions.commit().accept(figure);
        }
    }

    private void mark(boolean bad) {
        unreadable = bad;
        tell();
    }

    private T onSlider() {
        return at(slider.getValue());
    }

    private void display(T figure) {
        showing = true;
        String words = write(figure);
        if (!field.getText().equals(words)) {
            field.setText(words);
        }
        showing = false;
        slideTo(figure);
        tell();
    }

    private void slideTo(T figure) {
        showing = true;
        slider.setValue(position(figure));
        showing = false;
    }

    /** What the figure in the field would come to, or why it is none. */
    private void tell() {
        FieldFault.mark(field, unreadable ? fault() : "");
        Optional<Preview> effect = unreadable
                ? Optional.of(new Preview(fault(), Tone.DANGER))
                : read(field.getText()).map(this::preview);
        preview.setText(effect.map(Preview::words).orElse(""));
        preview.pseudoClassStateChanged(
                WARNING, effect.filter(e -> e.tone() == Tone.WARNING).isPresent());
        preview.pseudoClassStateChanged(
                DANGER, effect.filter(e -> e.tone() == Tone.DANGER).isPresent());
    }
}
