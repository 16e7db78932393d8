package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import java.util.Arrays;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** How fast what outlives steps is moved. */
public enum CompactionPace {
    /** A twentieth of the training's time. */
    GENTLE("gentle"),
    /** Everything at the end of one step. */
    AT_ONCE("at-once");

    private final String label;

    CompactionPace(String label) {
        this.label = label;
    }

    /** For the option. */
    public static final class Converter implements ITypeConverter<CompactionPace> {
        @Override
        public CompactionPace convert(String value) {
            return Arrays.stream(values())
                    .filter(pace -> pace.label.equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            CliText.text("set.compact.pace", GENTLE.label, AT_ONCE.label, value)));
        }
    }

    /** Without a value of its own behind {@code =} the option means gently: the word that follows is another. */
    public static final class Usual implements IParameterPreprocessor {
        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (!"=".equals(info.get("separator"))) {
                words.push(GENTLE.label);
            }
            return false;
        }
    }
}
