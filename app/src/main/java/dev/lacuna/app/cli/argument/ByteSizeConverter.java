package dev.lacuna.app.cli.argument;

import dev.lacuna.core.base.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes such as {@code 512}, {@code 20MiB}, {@code 64GiB} into bytes. */
public final class ByteSizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
        try {
            return ByteSize.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
