package dev.lacuna.ui.text;

import dev.lacuna.core.base.counters.DeviceName;
import javafx.beans.binding.StringBinding;

/** Devices by their kind and their own index. */
public final class DeviceText {
    private static final Texts TEXTS = Texts.of("units");

    private DeviceText() {}

    /** {@code GPU 1}. */
    public static String of(DeviceName name) {
        return TEXTS.get(key(name), name.index());
    }

    /** The same in whatever language is chosen. */
    public static StringBinding bind(DeviceName name) {
        return TEXTS.bind(key(name), name.index());
    }

    private static String key(DeviceName name) {
        return "device." + name.backend().label();
    }
}
