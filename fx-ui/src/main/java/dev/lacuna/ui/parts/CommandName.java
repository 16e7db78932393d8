package dev.lacuna.ui.parts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Command lines short enough for where they stand. */
public final class CommandName {
    /** Options of interpreters and launchers whose next word is theirs. */
    private static final Set<String> TAKE_A_WORD =
            Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "-W", "-X", "-O", "-o", "--add-opens");

    private static final String SCRIPT = ".*\\.(py|pyc|sh|ipynb|jar|bin)";
    private static final String CUT = " … ";

    /** What three lines of a question hold. */
    private static final int OF_A_QUESTION = 180;

    private CommandName() {}

    /** Program and script without their folders, such as {@code python3 train_gpt.py}; options are left out. */
    public static String of(String command) {
        String[] words = command.strip().split("\\s+");
        String program = base(words[0]);
        return scriptOf(words).map(script -> program + " " + script).orElse(program);
    }

    /**
     * The command in at most so many characters, cut in the middle: program and script stay, and as many of the last words as fit. Where
     * not even the script fits, it is cut.
     */
    public static String within(String command, int characters) {
        String whole = command.strip();
        if (whole.length() <= characters) {
            return whole;
        }
        String name = of(whole);
        String[] words = whole.split("\\s+");
        String script = scriptOf(words).orElse(name);
        if (name.length() > characters) {
            return script.length() <= characters ? script : cut(script, characters);
        }
        return name + tail(argumentsOf(words, script), characters - name.length());
    }

    /** The command as a question names it: long enough to know the process by, short enough to leave the question in sight. */
    public static String inQuestion(String command) {
        return within(command, OF_A_QUESTION);
    }

    /** As many of the last words as fit behind a cut, from an option on: a value without its name says nothing. */
    private static String tail(List<String> arguments, int room) {
        boolean options = arguments.stream().anyMatch(word -> word.startsWith("-"));
        String fitting = "";
        String tail = "";
        for (int i = arguments.size() - 1; i >= 0; i--) {
            tail = tail.isEmpty() ? arguments.get(i) : arguments.get(i) + " " + tail;
            if (tail.length() + CUT.length() > room) {
                break;
            }
            if (!options || arguments.get(i).startsWith("-")) {
                fitting = tail;
            }
        }
        return fitting.isEmpty() ? "" : CUT + fitting;
    }

    private static List<String> argumentsOf(String[] words, String script) {
        List<String> all = List.of(words);
        for (int i = 0; i < all.size(); i++) {
            if (base(all.get(i)).equals(script)) {
                return all.subList(i + 1, all.size());
            }
        }
        return List.of();
    }

    private static String cut(String name, int characters) {
        int kept = Math.max(2, characters - 1);
        int head = (kept + 1) / 2;
        return name.substring(0, head) + "…" + name.substring(name.length() - (kept - head));
    }

    /** The first word that is no option, nor belongs to one; a script of a known kind wins. */
    private static Optional<String> scriptOf(String[] words) {
        List<String> candidates = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            String word = words[i];
            if (TAKE_A_WORD.contains(word)) {
                i++;
            } else if (word.equals("-m") && i + 1 < words.length) {
                i++;
                // "python3 -m lacuna train.py" runs train.py.
                if (!words[i].equals("lacuna")) {
                    candidates.add(words[i]);
                }
            } else if (!word.startsWith("-")) {
                candidates.add(word);
            }
        }
        return candidates.stream()
                .filter(word -> word.matches(SCRIPT) && !word.contains(":"))
                .findFirst()
                .or(() -> candidates.stream().findFirst())
                .map(CommandName::base);
    }

    private static String base(String word) {
        return word.substring(word.lastIndexOf('/') + 1);
    }
}
