package dev.lacuna.core.estimate.input;

import dev.lacuna.core.config.shellscript.ShellScript;
import dev.lacuna.core.config.shellscript.ShellWord;
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

    /** What DeepSpeed's launcher calls torchrun's. */
    private static final Map<String, String> LAUNCHERS = Map.of("num-gpus", "nproc-per-node", "num-nodes", "nnodes");
    /** All that there are: no number. */
    private static final String ALL_DEVICES = "-1";

    /** Shells in shells: {@code ssh} that runs {@code docker} that runs {@code bash} that trains. */
    private static final int DEEPEST = 4;
    /** Characters of quoted commands that are read, at all depths together. */
    private static final int MOST_QUOTED = 1 << 20;

    private final ShellScript script;
    private final int depth;
    private final Quoted quoted;

    /** A whole script. */
    CommandLine(String script) {
        this(script, 0, new Quoted());
    }

    private CommandLine(String script, int depth, Quoted quoted) {
        this.script = ShellScript.of(script);
        this.depth = depth;
        this.quoted = quoted;
    }

    Arguments arguments() {
        Gathered bare = new Gathered();
        Optional<Arguments> launch = Optional.empty();
        for (List<ShellWord> words : script.commands()) {
            Arguments flags = flags(words);
            boolean program = !words.get(0).text().startsWith("-");
            if (program && flags.text(TRAINS).isPresent()) {
                launch = Optional.of(flags);
            } else {
                bare.add(flags);
            }
        }
        launch.ifPresent(bare::add);
        Arguments gathered = bare.done();
        return gathered.text(TRAINS).isPresent()
                ? gathered
                : flags(script.assigned()).with(gathered);
    }

    /** How much of quoted commands was read: expansion makes a short script long. */
    private static final class Quoted {
        private int characters;

        boolean hasRoomFor(int more) {
            if (more > MOST_QUOTED - characters) {
                return false;
            }
            characters += more;
            return true;
        }
    }

    /** Arguments as they come together: what is said later holds. */
    private static final class Gathered {
        private final Map<String, String> values = new LinkedHashMap<>();
        private final Map<String, ShellWord.Unknown> unknown = new LinkedHashMap<>();

        void add(Arguments later) {
            values.putAll(later.values());
            unknown.keySet().removeAll(later.values().keySet());
            unknown.putAll(later.unknown());
        }

        Arguments done() {
            return new Arguments(values, unknown);
        }
    }

    /** What a quoted command gives its program; where it is too deep or too much, that there is one. */
    private Arguments quotedIn(ShellWord word) {
        if (depth < DEEPEST && quoted.hasRoomFor(word.text().length())) {
            return new CommandLine(word.text(), depth + 1, quoted).arguments();
        }
        ShellWord.Unknown beyond = new ShellWord.Unknown(word.text(), ShellWord.Reason.BEYOND);
        return new Arguments(Map.of(), Map.of(beyond.written(), beyond));
    }

    private Arguments flags(List<ShellWord> words) {
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, ShellWord.Unknown> unknown = new LinkedHashMap<>();
        for (int i = 0; i < words.size(); i++) {
            ShellWord word = words.get(i);
            Matcher flag = FLAG.matcher(word.text());
            if (!flag.matches()) {
                if (QUOTED_COMMAND.matcher(word.text()).matches()) {
                    Arguments inner = quotedIn(word);
                    values.putAll(inner.values());
                    unknown.putAll(inner.unknown());
                } else {
                    word.unknown().ifPresent(fault -> unknown.put(fault.written(), fault));
                }
                continue;
            }
            String written = flag.group(1).replace('_', '-');
            List<ShellWord> given = flag.group(2) == null
                    ? following(written, words.subList(i + 1, words.size()))
                    : List.of(new ShellWord(flag.group(2), word.unknown()));
            i += flag.group(2) == null ? given.size() : 0;
            String value = String.join(" ", given.stream().map(ShellWord::text).toList());
            String name = value.equals(ALL_DEVICES) ? written : LAUNCHERS.getOrDefault(written, written);
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
