package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads numbers of the command line; what is none is told without the names of Java's types.
 *
 * <p>Classes and no lambdas: JDK 17 crashes when it archives lambdas of interfaces that were compiled for Java 5, as picocli's
 * are, and without an archive every command starts slowly.
 */
public final class NumberConverters {
    private NumberConverters() {}

    public static void registerAt(CommandLine line) {
        line.registerConverter(Long.class, new Whole());
        line.registerConverter(long.class, new Whole());
        line.registerConverter(Integer.class, new WholeInt());
        line.registerConverter(int.class, new WholeInt());
        line.registerConverter(Double.class, new Fractional());
        line.registerConverter(double.class, new Fractional());
    }

    private static final class Whole implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException(CliText.text("number.whole", text));
            }
        }
    }

    private static final class WholeInt implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException(CliText.text("number.whole", text));
            }
        }
    }

    private static final class Fractional implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                return Double.valueOf(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException(CliText.text("number.fractional", text));
            }
        }
    }
}
