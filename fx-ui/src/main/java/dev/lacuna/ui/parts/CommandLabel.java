package dev.lacuna.ui.parts;

import dev.lacuna.ui.text.Texts;
import java.util.function.IntFunction;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.text.Text;

/**
 * A command line in the room that there is: cut in the middle so that the script's name stays, whole on hover, and to be copied whole by
 * its menu or, with the focus on it, Ctrl+C.
 */
public final class CommandLabel extends Label {
    private static final Texts TEXTS = Texts.of("parts");
    private static final KeyCombination COPY = new KeyCodeCombination(KeyCode.C, KeyCombination.SHORTCUT_DOWN);

    private final Text ruler = new Text();
    private final Tooltip whole = new Tooltip();
    private String command = "";
    private boolean named;

    public CommandLabel(String... styleClasses) {
        getStyleClass().addAll(styleClasses);
        setFocusTraversable(true);
        ruler.fontProperty().bind(fontProperty());
        whole.setWrapText(true);
        whole.setMaxWidth(720);
        MenuItem copy = new MenuItem();
        copy.textProperty().bind(TEXTS.bind("command.copy"));
        copy.setOnAction(e -> Copying.copy(command));
        setContextMenu(new ContextMenu(copy));
        setOnKeyPressed(e -> {
            if (COPY.match(e)) {
                Copying.copy(command);
                e.consume();
            }
        });
        widthProperty().addListener((property, before, now) -> fit());
        fontProperty().addListener((property, before, now) -> fit());
    }

    /** Shows as much of this command as fits; empty where there is none. */
    public void show(String newCommand) {
        show(newCommand, false);
    }

    /** Shows program and script of this command, never more. */
    public void showName(String newCommand) {
        show(newCommand, true);
    }

    private void show(String newCommand, boolean byName) {
        if (newCommand.equals(command) && byName == named) {
            return;
        }
        command = newCommand;
        named = byName;
        whole.setText(command);
        setTooltip(command.isEmpty() ? null : whole);
        setAccessibleText(command);
        requestLayout();
        fit();
    }

    @Override
    protected double computePrefWidth(double height) {
        return Math.ceil(widthOf(most())) + 1 + snappedLeftInset() + snappedRightInset();
    }

    @Override
    protected double computeMinWidth(double height) {
        return Math.min(computePrefWidth(height), Math.ceil(widthOf(CommandName.within(command, LEAST))) + 1);
    }

    /** What its script needs at least, in characters: a longer name is cut too. */
    private static final int LEAST = 20;

    private String most() {
        return named ? CommandName.of(command) : command;
    }

    private void fit() {
        if (getWidth() <= 0 || widthOf(most()) <= getWidth()) {
            setText(most());
            return;
        }
        IntFunction<String> shorter = characters -> CommandName.within(command, characters);
        int low = 1;
        int high = most().length();
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (widthOf(shorter.apply(middle)) <= getWidth()) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        setText(shorter.apply(low));
    }

    private double widthOf(String text) {
        ruler.setText(text);
        return ruler.getLayoutBounds().getWidth();
    }
}
