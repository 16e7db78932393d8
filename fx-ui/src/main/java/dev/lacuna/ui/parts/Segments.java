package dev.lacuna.ui.parts;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javafx.beans.property.Property;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.Region;
import org.controlsfx.control.SegmentedButton;

/**
 * A choice between a few, side by side, of which one holds. What is pressed is asked for; what shows is what holds.
 *
 * @param <T> the choices
 */
public final class Segments<T extends Enum<T>> extends SegmentedButton {
    private final Map<T, ToggleButton> buttons;

    /** Offers these and hands over what is pressed. */
    public Segments(List<T> values, Consumer<T> pressed) {
        buttons = new EnumMap<>(values.get(0).getDeclaringClass());
        for (T value : values) {
            ToggleButton button = new ToggleButton();
            button.setMinWidth(Region.USE_PREF_SIZE);
            button.setOnAction(e -> {
                // A press turns a button; what holds is not for it to say.
                button.setSelected(!button.isSelected());
                pressed.accept(value);
            });
            buttons.put(value, button);
            getButtons().add(button);
        }
        // The group would let none hold after a second press.
        setToggleGroup(null);
    }

    /** Offers these for a setting, and follows it. */
    public Segments(List<T> values, Property<T> setting) {
        this(values, setting::setValue);
        setting.addListener((property, before, now) -> show(now));
        show(setting.getValue());
    }

    /** Shows that this one holds. */
    public void show(T holding) {
        buttons.forEach((value, button) -> button.setSelected(value == holding));
    }

    /** The button of a choice. */
    public ToggleButton button(T value) {
        return buttons.get(value);
    }

    /** Calls it by these words, wherever tests and styles look for it. */
    public ToggleButton name(T value, String id, ObservableValue<String> words) {
        ToggleButton button = button(value);
        button.setId(id);
        button.textProperty().bind(words);
        return button;
    }
}
