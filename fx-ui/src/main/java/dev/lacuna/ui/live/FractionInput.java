package dev.lacuna.ui.live;

import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleConsumer;
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
 * The memory fraction as a slider and as an exact figure, with the lowest safe value marked. What the operator moves is
 * a draft until it is let go of, or Enter; Escape or leaving gives it up. What holds shows whenever there is no draft.
 */
final class FractionInput extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");

    private static final KeyCombination UNDO = KeyCombination.valueOf("Shortcut+Z");

    private final DoubleConsumer commit;
    private final Runnable undo;
    private final Runnable leave;
    private final ReadOnlyBooleanWrapper unreadable = new ReadOnlyBooleanWrapper();
    private final TextField field = new TextField();
    private final Slider slider = new Slider(0, 1, 1);
    private final Region safeMark = new Region();
    private final Label lowest = new Label();
    private double held = 1;
    private double lowestSafe = -1;
    private boolean draft;
    private boolean showing;

    /**
     * @param commit what to do with a fraction that the operator has decided on, 0 &lt; fraction ≤ 1
     * @param undo what Ctrl+Z does here while there is no draft to give up
     * @param leave gives the keyboard to whom it belonged, after Enter or Escape
     */
    FractionInput(DoubleConsumer commit, Runnable undo, Runnable leave) {
        this.commit = commit;
        this.undo = undo;
        this.leave = leave;
        Label name = Labels.of(TEXTS.bind("control.fraction"));
        name.setLabelFor(field);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        field.setId("live-fraction");
        field.getStyleClass().add("fraction-field");
        field.setPrefColumnCount(5);
        field.setAlignment(Pos.CENTER_RIGHT);
        slider.setId("live-fraction-slider");
        slider.setBlockIncrement(0.01);
        slider.accessibleTextProperty().bind(TEXTS.bind("control.fraction"));
        safeMark.getStyleClass().add("safe-mark");
        safeMark.setManaged(false);
        safeMark.setMouseTransparent(true);
        lowest.getStyleClass().addAll("muted", "small");
        Label top = new Label("1.00");
        top.getStyleClass().addAll("muted", "small");
        Region between = new Region();
        HBox.setHgrow(between, Priority.ALWAYS);
        HBox head = new HBox(name, space, field);
        head.setAlignment(Pos.CENTER_LEFT);
        getStyleClass().add("fraction");
        getChildren().addAll(head, slider, new HBox(lowest, between, top), safeMark);
        listen();
    }

    /** Shows what holds and what is safe, unless the operator is at it. */
    void show(double fraction, double lowestSafeFraction) {
        held = fraction;
        lowest.setText(TEXTS.get("control.lowest", text(roundedUp(lowestSafeFraction))));
        if (lowestSafeFraction != lowestSafe) {
            lowestSafe = lowestSafeFraction;
            requestLayout();
        }
        if (!draft) {
            display(held);
        }
    }

    /** Whether what stands in the field is no fraction. */
    ReadOnlyBooleanProperty unreadableProperty() {
        return unreadable.getReadOnlyProperty();
    }

    /** Puts the cursor into the exact figure. */
    void edit() {
        field.requestFocus();
        field.selectAll();
    }

    /** Gives a draft up. */
    void revert() {
        draft = false;
        mark(false);
        display(held);
    }

    /** A figure with as many decimals as it needs, two at least. */
    static String text(double fraction) {
        String exact = String.format(Locale.ROOT, "%.4f", fraction);
        return exact.endsWith("00") ? exact.substring(0, exact.length() - 2) : exact;
    }

    /** Rounded to hundredths so that the figure shown is itself safe. */
    static double roundedUp(double fraction) {
        return Math.min(1, Math.ceil(fraction * 100 - 1e-9) / 100);
    }

    /** What was typed, if it is a fraction the agent could take. A decimal comma counts as a point, a % as hundredths. */
    static OptionalDouble parse(String typed) {
        try {
            String words = typed.strip().replace(',', '.').replace('％', '%');
            boolean percent = words.endsWith("%");
            double figure = Double.parseDouble(percent ? words.substring(0, words.length() - 1) : words);
            double fraction = percent ? figure / 100 : figure;
            return fraction > 0 && fraction <= 1 ? OptionalDouble.of(fraction) : OptionalDouble.empty();
        } catch (NumberFormatException notANumber) {
            return OptionalDouble.empty();
        }
    }

    @Override
    protected void layoutChildren() {
        super.layoutChildren();
        // The thumb's centre travels from half its width to half its width before the end.
        double inset = 8;
        double x = slider.getLayoutX() + inset + Math.max(0, lowestSafe) * (slider.getWidth() - 2 * inset);
        safeMark.setVisible(lowestSafe > 0 && lowestSafe <= 1);
        safeMark.resizeRelocate(Math.round(x), slider.getLayoutY() + slider.getHeight() / 2 + 4, 2, 8);
    }

    private void listen() {
        slider.valueProperty().addListener((property, before, now) -> {
            if (!showing) {
                draft = true;
                field.setText(text(hundredths(now.doubleValue())));
            }
        });
        slider.setOnMouseReleased(e -> decide(hundredths(slider.getValue())));
        slider.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, hundredths(slider.getValue())));
        field.textProperty().addListener((property, before, now) -> {
            if (!showing) {
                draft = true;
                mark(parse(now).isEmpty());
            }
        });
        field.addEventFilter(
                KeyEvent.KEY_PRESSED, e -> keyed(e, parse(field.getText()).orElse(-1)));
        slider.focusedProperty().addListener((property, before, focused) -> left(focused));
        field.focusedProperty().addListener((property, before, focused) -> left(focused));
    }

    private void keyed(KeyEvent event, double fraction) {
        if (event.getCode() == KeyCode.ENTER) {
            event.consume();
            enter(fraction);
        } else if (event.getCode() == KeyCode.ESCAPE) {
            event.consume();
            revert();
            leave.run();
        } else if (UNDO.match(event)) {
            // The field would undo its own typing; everywhere in the window this key takes back a change.
            event.consume();
            if (draft) {
                revert();
            } else {
                undo.run();
            }
        }
    }

    private void left(boolean focused) {
        if (!focused && draft && !slider.isFocused() && !field.isFocused()) {
            revert();
        }
    }

    private void enter(double fraction) {
        if (fraction <= 0 || fraction > 1) {
            mark(true);
            return;
        }
        boolean drafted = draft;
        draft = false;
        // Before the decision, which may ask a question: the keyboard belongs to that then.
        leave.run();
        draft = drafted;
        decide(fraction);
    }

    private void mark(boolean bad) {
        unreadable.set(bad);
        field.pseudoClassStateChanged(DANGER, bad);
    }

    private void decide(double fraction) {
        boolean changes = draft && fraction != held;
        draft = false;
        mark(false);
        display(changes ? fraction : held);
        if (changes) {
            commit.accept(fraction);
        }
    }

    private void display(double fraction) {
        showing = true;
        String words = text(fraction);
        if (!field.getText().equals(words)) {
            field.setText(words);
        }
        slider.setValue(fraction);
        showing = false;
    }

    private static double hundredths(double value) {
        return Math.max(0.01, Math.round(value * 100) / 100.0);
    }
}
