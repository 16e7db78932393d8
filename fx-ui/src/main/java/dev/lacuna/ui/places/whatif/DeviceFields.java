package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** The device to replay on, as the operator types it; an empty field means what the trace says, else the usual. */
final class DeviceFields {
    private static final Texts TEXTS = Texts.of("whatif");

    private final StringProperty capacity = new SimpleStringProperty("");
    private final StringProperty fraction = new SimpleStringProperty("");
    private final StringProperty scale = new SimpleStringProperty("");

    /** Memory of the device, such as {@code 24GiB}. */
    StringProperty capacityProperty() {
        return capacity;
    }

    /** Cap on reserved, such as {@code 0.94} or {@code 94 %}. */
    StringProperty fractionProperty() {
        return fraction;
    }

    /** What every size is multiplied by, such as {@code 16}. */
    StringProperty scaleProperty() {
        return scale;
    }

    /** What is wrong with the capacity; empty when nothing is. */
    StringBinding capacityFault() {
        return fault(capacity, "device.capacity.fault", () -> parsedCapacity(capacity.get()));
    }

    /** What is wrong with the fraction; empty when nothing is. */
    StringBinding fractionFault() {
        return fault(fraction, "device.fraction.fault", () -> parsedFraction(fraction.get()));
    }

    /** What is wrong with the scale; empty when nothing is. */
    StringBinding scaleFault() {
        return fault(scale, "device.scale.fault", () -> parsedScale(scale.get()));
    }

    /** Whether every field can be understood. */
    BooleanBinding valid() {
        return Bindings.createBooleanBinding(() -> settings().isPresent(), capacity, fraction, scale);
    }

    /** The device; empty while a field cannot be understood. */
    Optional<ReplaySettings> settings() {
        Optional<OptionalLong> bytes = parsedCapacity(capacity.get());
        Optional<OptionalDouble> share = parsedFraction(fraction.get());
        Optional<Long> factor = parsedScale(scale.get());
        if (bytes.isEmpty() || share.isEmpty() || factor.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ReplaySettings(bytes.get(), share.get(), factor.get()));
    }

    private static StringBinding fault(StringProperty field, String key, Supplier<Optional<?>> parsed) {
        return Bindings.createStringBinding(
                () -> parsed.get().isPresent() ? "" : TEXTS.get(key), field, Texts.wordingProperty());
    }

    private static Optional<OptionalLong> parsedCapacity(String text) {
        if (text.isBlank()) {
            return Optional.of(OptionalLong.empty());
        }
        try {
            long bytes = ByteSize.parse(text.strip().replace(" ", ""));
            return bytes > 0 ? Optional.of(OptionalLong.of(bytes)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<OptionalDouble> parsedFraction(String text) {
        if (text.isBlank()) {
            return Optional.of(OptionalDouble.empty());
        }
        String number = text.strip();
        boolean percent = number.endsWith("%");
        try {
            double value = Double.parseDouble(percent ? number.substring(0, number.length() - 1) : number);
            double share = percent ? value / 100 : value;
            return share > 0 && share <= 1 ? Optional.of(OptionalDouble.of(share)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> parsedScale(String text) {
        if (text.isBlank()) {
            return Optional.of(1L);
        }
        try {
            long factor = Long.parseLong(text.strip());
            return factor >= 1 ? Optional.of(factor) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
