package dev.lacuna.core.config.shellscript;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a script's variables hold: a plain one has one word. */
final class ShellVariables {
    /** Characters, and words, that one variable may hold: no command line has more. */
    private static final int LONGEST = 1 << 16;

    private static final int MOST_WORDS = 1 << 12;

    private final Map<String, List<ShellWord>> values = new HashMap<>();

    Optional<List<ShellWord>> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The variable's only or first word; unknown where it is not set. */
    ShellWord first(String name) {
        List<ShellWord> words = values.get(name);
        if (words == null) {
            return ShellWord.unknown("$" + name, ShellWord.Reason.NOT_SET);
        }
        return words.isEmpty() ? ShellWord.of("") : words.get(0);
    }

    /** @param certain whether the assignment is reached for sure; where it is not, only the value that was there already stays known */
    void set(String name, List<ShellWord> words, boolean certain) {
        long length =
                words.stream().mapToLong(word -> word.text().length() + 1L).sum();
        if (length > LONGEST || words.size() > MOST_WORDS) {
            values.put(name, List.of(ShellWord.unknown("$" + name, ShellWord.Reason.BEYOND)));
        } else if (certain || words.equals(values.get(name))) {
            values.put(name, List.copyOf(words));
        } else {
            values.put(name, uncertain(name, words));
        }
    }

    /** Of what is only appended, the beginning stays known. */
    private List<ShellWord> uncertain(String name, List<ShellWord> words) {
        ShellWord varies = ShellWord.unknown("$" + name, ShellWord.Reason.VARIES);
        List<ShellWord> before = values.getOrDefault(name, List.of());
        if (before.isEmpty() || before.get(0).equals(varies)) {
            return List.of(varies);
        }
        ShellWord last = before.get(before.size() - 1);
        if (words.size() > before.size() && words.subList(0, before.size()).equals(before)) {
            return last.equals(varies) ? before : joined(before, varies);
        }
        boolean plain = before.size() == 1
                && words.size() == 1
                && isBeginning(last.text(), words.get(0).text());
        if (!plain) {
            return List.of(varies);
        }
        boolean already = last.unknown().equals(varies.unknown());
        return already
                ? before
                : List.of(new ShellWord(
                        last.text() + " " + varies.text(), last.unknown().or(varies::unknown)));
    }

    private static boolean isBeginning(String text, String of) {
        return of.length() > text.length() && of.startsWith(text) && Character.isWhitespace(of.charAt(text.length()));
    }

    private static List<ShellWord> joined(List<ShellWord> words, ShellWord last) {
        List<ShellWord> joined = new ArrayList<>(words);
        joined.add(last);
        return List.copyOf(joined);
    }

    /** Appends: words to an array, text to a plain variable. */
    void append(String name, List<ShellWord> words, boolean array, boolean certain) {
        List<ShellWord> joined = new ArrayList<>(values.getOrDefault(name, List.of()));
        if (array || joined.isEmpty() || words.isEmpty()) {
            joined.addAll(words);
        } else {
            ShellWord before = joined.get(0);
            ShellWord more = words.get(0);
            joined.set(
                    0,
                    new ShellWord(before.text() + more.text(), before.unknown().or(more::unknown)));
        }
        set(name, joined, certain);
    }
}
