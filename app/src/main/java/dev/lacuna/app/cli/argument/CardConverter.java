package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.planning.method.DeviceCard;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a device's kind, such as {@code a100}. */
public final class CardConverter implements ITypeConverter<DeviceCard> {
    @Override
    public DeviceCard convert(String value) {
        return DeviceCard.of(value)
                .orElseThrow(() -> new TypeConversionException(
                        CliText.text("plan.card", value, String.join(", ", DeviceCard.ids()))));
    }
}
