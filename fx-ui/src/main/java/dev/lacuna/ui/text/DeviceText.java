package dev.lacuna.ui.text;

import dev.lacuna.core.base.counters.DeviceName;
import javafx.beans.binding.StringBinding;

/** Devices by their kind and their own index; one whose back end has no words here by its own: {@code fake 1}. */
public final class DeviceText {
    private static final Texts TEXTS = Texts.of("units");

    private DeviceText() {}

    /** {@code GPU 1}. */
    public static String of(DeviceName name) {
        return TEXTS.get(key(name), name.index(), name.backend().label());
    }

    /** The same in whatever language is chosen. */
    public static StringBinding bind(DeviceName name) {
        return TEXTS.bind(key(name), name.index(), name.backend().label());
    }

    private static String key(DeviceName name) {
        String key = "device." + name.backend().label();
        return TEXTS.has(key) ? key : "device.other";
    }
}
