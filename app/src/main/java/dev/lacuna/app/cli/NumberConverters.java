package dev.lacuna.app.cli;

import picocli.CommandLine.TypeConversionException;

/** Reads numbers of the command line; what is none is told without the names of Java's types. */
final class NumberConverters {
    private NumberConverters() {}

    static Long whole(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(CliTexts.text("number.whole", text));
        }
    }

    static Integer wholeInt(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(CliTexts.text("number.whole", text));
        }
    }

    static Double fractional(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(CliTexts.text("number.fractional", text));
        }
    }
}
