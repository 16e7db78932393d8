package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.bridge.ProcessId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A process as {@code lacuna ps} calls it: {@code 4711}, or {@code 4026532281:1} in a container beside this one. */
public final class ProcessIdConverter implements ITypeConverter<ProcessId> {
    @Override
    public ProcessId convert(String text) {
        return ProcessId.parse(text).orElseThrow(() -> new TypeConversionException(CliText.text("process.name", text)));
    }
}
