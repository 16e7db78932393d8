package dev.lacuna.ui.guard;

import dev.lacuna.bridge.ProcessName;
import dev.lacuna.bridge.TrainingProcess;
import java.util.function.Supplier;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.beans.value.ObservableBooleanValue;

/**
 * The question whether something is to be set that the guard refused: answered by typing the name of the process that it may end.
 * It closes by itself once the refusal holds no more. UI thread only; no toolkit.
 */
public final class ForceQuestion {
    private final TrainingProcess process;
    private final Supplier<String> asked;
    private final Supplier<String> figures;
    private final Runnable force;
    private final StringProperty typed = new SimpleStringProperty("");
    private final BooleanBinding open;
    private final BooleanBinding armed;

    /**
     * @param process which it may end
     * @param asked names what is to be set
     * @param figures tells what the guard went by
     * @param holds whether the refusal still holds and can be answered
     * @param force sets it
     */
    public ForceQuestion(
            TrainingProcess process,
            Supplier<String> asked,
            Supplier<String> figures,
            ObservableBooleanValue holds,
            Runnable force) {
        this.process = process;
        this.asked = asked;
        this.figures = figures;
        this.force = force;
        this.open = Bindings.createBooleanBinding(holds::get, holds);
        this.armed = Bindings.createBooleanBinding(
                () -> open.get() && typed.get().strip().equals(name()), open, typed);
    }

    /** What must be typed, to the letter. */
    public String name() {
        return ProcessName.of(process);
    }

    /** Which process it may end. */
    public TrainingProcess process() {
        return process;
    }

    /** What is to be set, in the window's language. */
    public String asked() {
        return asked.get();
    }

    /** What the guard went by, in the window's language. */
    public String figures() {
        return figures.get();
    }

    /** What was typed so far. */
    public StringProperty typedProperty() {
        return typed;
    }

    /** Whether it is still a question. */
    public BooleanBinding openBinding() {
        return open;
    }

    /** Whether it can be answered with yes. */
    public BooleanBinding armedBinding() {
        return armed;
    }

    /** Yes. Without the name, or too late, it is no answer. */
    public void confirm() {
        if (armed.get()) {
            force.run();
        }
    }
}
