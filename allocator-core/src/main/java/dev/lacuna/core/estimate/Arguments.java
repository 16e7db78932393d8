package dev.lacuna.core.estimate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings under the names of Megatron-LM's command line, without the dashes: the common tongue of all readers. A switch that stands
 * alone is {@code true}.
 */
public record Arguments(Map<String, String> values) {
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?m)^\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)=[\"']?([^\"'\\s#]*)[\"']?\\s*(?:#.*)?$");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_][A-Za-z0-9_]*)}?");
    private static final Pattern FLAG = Pattern.compile(
            "(?<![\\w-])--([a-zA-Z][a-zA-Z0-9_-]*)(?:[=\\s]+((?!--)(?:\"[^\"]*\"|'[^']*'|[^\\s\"')]+)))?");
    /** Variables that name others, up to this deep. */
    private static final int MOST_SUBSTITUTIONS = 8;
    /** Characters of a script, and of one while its variables are filled in. */
    private static final int LONGEST_SCRIPT = 256 << 10;

    private static final int LONGEST_EXPANSION = 4 << 20;
    private static final int LONGEST_VALUE = 200;
    /** No size, count or length of a model is larger, and four times as much still fits an int. */
    private static final int MOST = 500_000_000;

    public Arguments {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Reads a command line, or a shell script that holds one: assignments are filled in, comments and line ends left out. */
    public static Arguments parse(String script) {
        String text = script.length() <= LONGEST_SCRIPT ? script : script.substring(0, LONGEST_SCRIPT);
        Map<String, String> variables = new LinkedHashMap<>();
        Matcher assignment = ASSIGNMENT.matcher(text);
        while (assignment.find()) {
            String value = assignment.group(2);
            variables.put(assignment.group(1), value.length() <= LONGEST_VALUE ? value : "");
        }
        String command =
                text.replaceAll("(?m)(^|\\s)#.*$", "$1").replace("\\\n", " ").replace("\\\r\n", " ");
        for (int i = 0; i < MOST_SUBSTITUTIONS && command.length() <= LONGEST_EXPANSION; i++) {
            command = VARIABLE.matcher(command)
                    .replaceAll(m -> Matcher.quoteReplacement(variables.getOrDefault(m.group(1), "")));
        }
        Map<String, String> flags = new LinkedHashMap<>();
        Matcher flag = FLAG.matcher(command);
        while (flag.find()) {
            String value = flag.group(2) == null ? "true" : flag.group(2).replaceAll("^[\"']|[\"']$", "");
            flags.put(flag.group(1).replace('_', '-'), value);
        }
        return new Arguments(flags);
    }

    /** These, with the others in their place where both say something. */
    public Arguments with(Arguments others) {
        Map<String, String> merged = new LinkedHashMap<>(values);
        merged.putAll(others.values);
        return new Arguments(merged);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
    }

    boolean on(String name) {
        return text(name)
                .map(value -> value.equalsIgnoreCase("true") || value.equals("1"))
                .orElse(false);
    }

    /** @throws EstimateException when it is there, but no whole number from {@code least} */
    int number(String name, int absent, int least) throws EstimateException {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new EstimateException("refused.number", name, text.get(), Integer.toString(least));
    }

    /** @throws EstimateException when it is missing, or no whole number from 1 */
    int needed(String name) throws EstimateException {
        if (text(name).isEmpty()) {
            throw new EstimateException("refused.missing", name);
        }
        return number(name, 1, 1);
    }
}
