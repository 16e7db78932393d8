package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.base.counters.SwapMode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code on}, {@code off} or {@code all}. */
public final class SwapModeConverter implements ITypeConverter<SwapMode> {
    @Override
    public SwapMode convert(String value) {
        return SwapMode.ofLabel(value).orElseThrow(() -> new TypeConversionException(CliText.text("set.swap", value)));
    }
}
