package dev.lacuna.ui.parts;

import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.ui.text.DeviceText;
import java.util.Map;
import javafx.beans.property.IntegerProperty;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;

/** Which of several devices of a process is shown; out of sight where there is one. */
public final class DeviceChoice extends MenuButton {
    private final IntegerProperty shown;
    private Map<Integer, DeviceName> offered = Map.of();

    public DeviceChoice(IntegerProperty shown) {
        this.shown = shown;
        getStyleClass().add("pill");
        setMinWidth(USE_PREF_SIZE);
    }

    /** Offers these, by number. */
    public void offer(Map<Integer, DeviceName> devices) {
        boolean several = devices.size() > 1;
        setVisible(several);
        setManaged(several);
        DeviceName name = devices.get(shown.get());
        setText(name == null ? "" : DeviceText.of(name));
        if (!devices.equals(offered)) {
            offered = Map.copyOf(devices);
            getItems().clear();
            devices.forEach(this::add);
        }
    }

    private void add(int number, DeviceName name) {
        MenuItem item = new MenuItem();
        item.textProperty().bind(DeviceText.bind(name));
        item.setOnAction(e -> shown.set(number));
        getItems().add(item);
    }
}
