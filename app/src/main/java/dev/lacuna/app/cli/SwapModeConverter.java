package dev.lacuna.app.cli;

import dev.lacuna.core.memory.SwapMode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code on}, {@code off} or {@code all}. */
final class SwapModeConverter implements ITypeConverter<SwapMode> {
    @Override
    public SwapMode convert(String value) {
        return SwapMode.ofLabel(value).orElseThrow(() -> new TypeConversionException(CliTexts.text("set.swap", value)));
    }
}
