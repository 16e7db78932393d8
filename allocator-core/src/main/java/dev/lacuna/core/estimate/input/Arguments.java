package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.shellscript.ShellWord;
import dev.lacuna.core.estimate.term.Term;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Settings under the names of Megatron-LM's command line, without the dashes: the common tongue of all readers. A switch that stands
 * alone is {@code true}.
 *
 * @param unknown names whose value the script alone does not tell, with what stands there instead
 */
public record Arguments(Map<String, String> values, Map<String, ShellWord.Unknown> unknown) {
    /** No size, count or length of a model is larger, and four times as much still fits an int. */
    private static final int MOST = 500_000_000;

    public Arguments {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        unknown = Collections.unmodifiableMap(new LinkedHashMap<>(unknown));
    }

    /** All of them known. */
    public Arguments(Map<String, String> values) {
        this(values, Map.of());
    }

    /** Reads a command line, or a shell script that holds one: what the script assigns is filled in, nothing is run. */
    public static Arguments parse(String script) {
        return new CommandLine(script).arguments();
    }

    /** These, with the others in their place where both say something. */
    public Arguments with(Arguments others) {
        Map<String, String> merged = new LinkedHashMap<>(values);
        merged.putAll(others.values);
        Map<String, ShellWord.Unknown> left = new LinkedHashMap<>(unknown);
        left.keySet().removeAll(others.values.keySet());
        left.putAll(others.unknown);
        return new Arguments(merged, left);
    }

    /** These but for some names. */
    Arguments without(Iterable<String> names) {
        Map<String, String> rest = new LinkedHashMap<>(values);
        Map<String, ShellWord.Unknown> left = new LinkedHashMap<>(unknown);
        names.forEach(name -> {
            rest.remove(name);
            left.remove(name);
        });
        return new Arguments(rest, left);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
    }

    public boolean on(String name) {
        return text(name)
                .map(value -> value.equalsIgnoreCase("true") || value.equals("1"))
                .orElse(false);
    }

    /** @throws RefusedException when what stands for this argument is not known from the script */
    void known(String name) throws RefusedException {
        ShellWord.Unknown fault = unknown.get(name);
        if (fault != null) {
            String key = switch (fault.reason()) {
                case NOT_SET -> "refused.shell.unset";
                case COMMAND -> "refused.shell.command";
                case VARIES -> "refused.shell.varies";
                case BEYOND -> "refused.shell.beyond";
            };
            throw new RefusedException(Term.WORDS.of(key, fault.written(), name));
        }
    }

    /** @throws RefusedException when it is there, but no whole number from {@code least} */
    int number(String name, int absent, int least) throws RefusedException {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return absent;
        }
        known(name);
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new RefusedException(Term.WORDS.of("refused.number", name, text.get(), Integer.toString(least)));
    }

    /** @throws RefusedException when it is missing, or no whole number from 1 */
    int needed(String name) throws RefusedException {
        if (text(name).isEmpty()) {
            String key = name.equals("num-layers") ? "refused.missing.model" : "refused.missing";
            throw new RefusedException(Term.WORDS.of(key, name));
        }
        return number(name, 1, 1);
    }
}
