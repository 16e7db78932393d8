package dev.lacuna.ui.window;

import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
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
 * One setting as a slider and as an exact figure. What the operator moves is a draft until it is let go of, or Enter;
 * Escape or leaving gives it up. What holds shows whenever there is no draft.
 *
 * @param <T> the figure; compared by {@code equals}
 */
public abstract class FigureInput<T> extends VBox {
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");
    private static final KeyCombination UNDO = KeyCombination.valueOf("Shortcut+Z");

    /**
     * What is done with what the operator does.
     *
     * @param commit takes a figure that the operator has decided on
     * @param undo what Ctrl+Z does here while there is no draft to give up
     * @param leave gives the keyboard to whom it belonged, after Enter or Escape
     */
    public record Actions<T>(Consumer<T> commit, Runnable undo, Runnable leave) {}

    private final Actions<T> actions;
    private final ReadOnlyBooleanWrapper unreadable = new ReadOnlyBooleanWrapper();
    private final TextField field = new TextField();
    private final Slider slider = new Slider(0, 1, 0);
    private final Label low = new Label();
    private final Label high = new Label();
    private T held;
    private boolean draft;
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
        getChildren().addAll(head, slider, new HBox(low, space(), high));
        listen();
    }

    /** What was typed, if it is a figure that could hold. */
    protected abstract Optional<T> read(String typed);

    /** The figure as it stands in the field. */
    protected abstract String write(T figure);

    /** The figure at this place of the slider, 0 to 1, as round as one can aim. */
    protected abstract T at(double position);

    /** The place of a figure on the slider, 0 to 1. */
    protected abstract double position(T figure);

    /** Whether what stands in the field is no such figure. */
    public final ReadOnlyBooleanProperty unreadableProperty() {
        return unreadable.getReadOnlyProperty();
    }

    /** Puts the cursor into the exact figure. */
    public final void edit() {
        field.requestFocus();
        field.selectAll();
    }

    /** What holds now; shown unless the operator is at it. */
    protected final void hold(T figure) {
        held = figure;
        if (!draft) {
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

    private void listen() {
        slider.valueProperty().addListener((property, before, now) -> {
            if (!showing) {
                draft = true;
                field.setText(write(onSlider()));
            }
        });
        slider.setOnMouseReleased(e -> decide(onSlider()));
        slider.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, Optional.of(onSlider())));
        field.textProperty().addListener((property, before, now) -> {
            if (!showing) {
                draft = true;
                mark(read(now).isEmpty());
            }
        });
        field.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, read(field.getText())));
        slider.focusedProperty().addListener((property, before, focused) -> left(focused));
        field.focusedProperty().addListener((property, before, focused) -> left(focused));
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
            if (draft) {
                revert();
            } else {
                actions.undo().run();
            }
        }
    }

    private void enter(Optional<T> figure) {
        if (figure.isEmpty()) {
            mark(true);
            return;
        }
        boolean drafted = draft;
        draft = false;
        // Before the decision, which may ask a question: the keyboard belongs to that then.
        actions.leave().run();
        draft = drafted;
        decide(figure.get());
    }

    private void left(boolean focused) {
        if (!focused && draft && !slider.isFocused() && !field.isFocused()) {
            revert();
        }
    }

    private void revert() {
        draft = false;
        mark(false);
        display(held);
    }

    private void decide(T figure) {
        boolean changes = draft && !figure.equals(held);
        draft = false;
        mark(false);
        display(changes ? figure : held);
        if (changes) {
            actions.commit().accept(figure);
        }
    }

    private void mark(boolean bad) {
        unreadable.set(bad);
        field.pseudoClassStateChanged(DANGER, bad);
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
        slider.setValue(position(figure));
        showing = false;
    }
}
