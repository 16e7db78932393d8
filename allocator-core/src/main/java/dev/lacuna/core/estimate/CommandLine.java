package dev.lacuna.core.estimate;

import dev.lacuna.core.shell.ShellScript;
import dev.lacuna.core.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the arguments of the training program in a script: those of the last command that trains, else all that stand there. */
final class CommandLine {
    private static final Pattern FLAG = Pattern.compile("(?s)--([a-zA-Z][a-zA-Z0-9_-]*)(?:=(.*))?");
    private static final Pattern QUOTED_COMMAND = Pattern.compile("(?s).*\\s--[a-zA-Z].*");
    private static final Set<String> TRUTHS = Set.of("true", "false", "1", "0", "yes", "no");
    /** Takes as many words as follow. */
    private static final String LIST = "recompute-modules";
    /** Whatever trains has it. */
    private static final String TRAINS = "num-layers";

    private final ShellScript script;

    CommandLine(ShellScript script) {
        this.script = script;
    }

    Arguments arguments() {
        Arguments bare = new Arguments(Map.of());
        Optional<Arguments> launch = Optional.empty();
        for (List<ShellWord> words : script.commands()) {
            Arguments flags = flags(words);
            boolean program = !words.get(0).text().startsWith("-");
            if (program && flags.text(TRAINS).isPresent()) {
                launch = Optional.of(flags);
            } else {
                bare = bare.with(flags);
            }
        }
        if (launch.isPresent()) {
            return bare.with(launch.get());
        }
        return bare.text(TRAINS).isPresent() ? bare : flags(script.assigned()).with(bare);
    }

    private static Arguments flags(List<ShellWord> words) {
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, ShellWord.Unknown> unknown = new LinkedHashMap<>();
        for (int i = 0; i < words.size(); i++) {
            ShellWord word = words.get(i);
            Matcher flag = FLAG.matcher(word.text());
            if (!flag.matches()) {
                if (QUOTED_COMMAND.matcher(word.text()).matches()) {
                    Arguments inner = Arguments.parse(word.text());
                    values.putAll(inner.values());
                    unknown.putAll(inner.unknown());
                } else {
                    word.unknown().ifPresent(fault -> unknown.put(fault.written(), fault));
                }
                continue;
            }
            String name = flag.group(1).replace('_', '-');
            List<ShellWord> given = flag.group(2) == null
                    ? following(name, words.subList(i + 1, words.size()))
                    : List.of(new ShellWord(flag.group(2), word.unknown()));
            i += flag.group(2) == null ? given.size() : 0;
            String value = String.join(" ", given.stream().map(ShellWord::text).toList());
            values.put(name, given.isEmpty() ? "true" : value);
            unknown.remove(name);
            given.stream()
                    .flatMap(one -> one.unknown().stream())
                    .findFirst()
                    .ifPresent(fault -> unknown.put(name, fault));
        }
        return new Arguments(values, unknown);
    }

    /** The words after a flag that are its value. */
    private static List<ShellWord> following(String name, List<ShellWord> rest) {
        List<ShellWord> given = new ArrayList<>();
        for (ShellWord word : rest) {
            boolean another = word.text().startsWith("--");
            boolean stray = KnownArguments.isSwitch(name)
                    && !TRUTHS.contains(word.text().toLowerCase(Locale.ROOT));
            if (another || stray || !given.isEmpty() && !name.equals(LIST)) {
                break;
            }
            given.add(word);
        }
        return given;
    }
}
