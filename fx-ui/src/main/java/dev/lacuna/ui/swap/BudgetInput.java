package dev.lacuna.ui.swap;

import dev.lacuna.core.memory.ByteSize;
import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.text.ByteText;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * The host's budget as a slider up to the machine's memory and as an exact size. What the operator moves is a draft until it
 * is let go of, or Enter; Escape or leaving gives it up. What holds shows whenever there is no draft.
 */
final class BudgetInput extends VBox {
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");
    private static final KeyCombination UNDO = KeyCombination.valueOf("Shortcut+Z");
    private static final long GRAIN = 256L << 20;

    private final LongConsumer commit;
    private final Runnable undo;
    private final Runnable leave;
    private final ReadOnlyBooleanWrapper unreadable = new ReadOnlyBooleanWrapper();
    private final TextField field = new TextField();
    private final Slider slider = new Slider(0, 1, 0);
    private final Label used = new Label();
    private final Label top = new Label();
    private final Tooltip exact = new Tooltip();
    private long mostBytes = 1;
    private long heldBytes;
    private boolean draft;
    private boolean showing;

    /**
     * @param commit what to do with a size that the operator has decided on, ≥ 1 byte
     * @param undo what Ctrl+Z does here while there is no draft to give up
     * @param leave gives the keyboard to whom it belonged, after Enter or Escape
     */
    BudgetInput(LongConsumer commit, Runnable undo, Runnable leave) {
        this.commit = commit;
        this.undo = undo;
        this.leave = leave;
        Label name = Labels.of(SwapWords.TEXTS.bind("budget.name"));
        name.setLabelFor(field);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        field.setId("swap-budget");
        field.getStyleClass().add("fraction-field");
        field.setPrefColumnCount(8);
        field.setAlignment(Pos.CENTER_RIGHT);
        field.setTooltip(exact);
        slider.setId("swap-budget-slider");
        slider.setBlockIncrement(0.01);
        slider.accessibleTextProperty().bind(SwapWords.TEXTS.bind("budget.name"));
        used.getStyleClass().addAll("muted", "small");
        top.getStyleClass().addAll("muted", "small");
        Region between = new Region();
        HBox.setHgrow(between, Priority.ALWAYS);
        HBox head = new HBox(name, space, field);
        head.setAlignment(Pos.CENTER_LEFT);
        getStyleClass().add("fraction");
        getChildren().addAll(head, slider, new HBox(used, between, top));
        listen();
    }

    /** Shows what holds, what of it is used and what the machine has, unless the operator is at it. */
    void show(long budgetBytes, long usedBytes, long machineBytes) {
        heldBytes = budgetBytes;
        mostBytes = Math.max(Math.max(1, machineBytes), budgetBytes);
        used.setText(SwapWords.TEXTS.get("budget.used", ByteText.of(usedBytes)));
        top.setText(SwapWords.TEXTS.get("budget.machine", ByteText.of(machineBytes)));
        exact.setText(ByteText.exact(budgetBytes));
        if (!draft) {
            display(heldBytes);
        }
    }

    /** Whether what stands in the field is no size. */
    ReadOnlyBooleanProperty unreadableProperty() {
        return unreadable.getReadOnlyProperty();
    }

    /** Puts the cursor into the exact figure. */
    void edit() {
        field.requestFocus();
        field.selectAll();
    }

    /** What was typed, if it is a size: {@code 12 GiB}, {@code 512MiB}; a bare number is GiB, a decimal comma a point. */
    static OptionalLong parse(String typed) {
        String words = typed.strip().replace(',', '.').replace(" ", "");
        try {
            if (words.matches("\\d+(\\.\\d+)?")) {
                return positive(Math.round(Double.parseDouble(words) * (1L << 30)));
            }
            if (words.matches("(?i)\\d+\\.\\d+(gib|mib)")) {
                boolean gib = words.toLowerCase(Locale.ROOT).endsWith("gib");
                double figure = Double.parseDouble(words.substring(0, words.length() - 3));
                return positive(Math.round(figure * (gib ? 1L << 30 : 1L << 20)));
            }
            return positive(ByteSize.parse(words));
        } catch (IllegalArgumentException notASize) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong positive(long bytes) {
        return bytes >= 1 ? OptionalLong.of(bytes) : OptionalLong.empty();
    }

    private void listen() {
        slider.valueProperty().addListener((property, before, now) -> {
            if (!showing) {
                draft = true;
                field.setText(ByteText.of(onSlider()));
            }
        });
        slider.setOnMouseReleased(e -> decide(onSlider()));
        slider.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, OptionalLong.of(onSlider())));
        field.textProperty().addListener((property, before, now) -> {
            if (!showing) {
                draft = true;
                mark(parse(now).isEmpty());
            }
        });
        field.addEventFilter(KeyEvent.KEY_PRESSED, e -> keyed(e, parse(field.getText())));
        slider.focusedProperty().addListener((property, before, focused) -> left(focused));
        field.focusedProperty().addListener((property, before, focused) -> left(focused));
    }

    private void keyed(KeyEvent event, OptionalLong bytes) {
        if (event.getCode() == KeyCode.ENTER) {
            event.consume();
            enter(bytes);
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

    private void enter(OptionalLong bytes) {
        if (bytes.isEmpty()) {
            mark(true);
            return;
        }
        boolean drafted = draft;
        draft = false;
        // Before the decision, which may ask a question: the keyboard belongs to that then.
        leave.run();
        draft = drafted;
        decide(bytes.getAsLong());
    }

    private void left(boolean focused) {
        if (!focused && draft && !slider.isFocused() && !field.isFocused()) {
            revert();
        }
    }

    private void revert() {
        draft = false;
        mark(false);
        display(heldBytes);
    }

    private void decide(long bytes) {
        boolean changes = draft && bytes != heldBytes;
        draft = false;
        mark(false);
        display(changes ? bytes : heldBytes);
        if (changes) {
            commit.accept(bytes);
        }
    }

    private void mark(boolean bad) {
        unreadable.set(bad);
        field.pseudoClassStateChanged(DANGER, bad);
    }

    private long onSlider() {
        return Math.max(GRAIN, Math.round(slider.getValue() * mostBytes / GRAIN) * GRAIN);
    }

    private void display(long bytes) {
        showing = true;
        String words = ByteText.of(bytes);
        if (!field.getText().equals(words)) {
            field.setText(words);
        }
        slider.setValue((double) bytes / mostBytes);
        showing = false;
    }
}
