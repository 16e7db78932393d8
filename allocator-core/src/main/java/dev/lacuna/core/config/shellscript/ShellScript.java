package dev.lacuna.core.config.shellscript;

import dev.lacuna.core.config.shellscript.ShellCondition.Truth;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A launch script as a shell would see it, without running anything: assignments are followed in order, branches as far as their conditions
 * can be told. A function's body counts where it stands.
 */
public final class ShellScript {
    private static final int LONGEST = 256 << 10;
    private static final Pattern ASSIGNMENT = Pattern.compile("(?s)([A-Za-z_]\\w{0,200})(\\+?)=(.*)");
    /** A right side that is nothing but one variable: what it says comes from outside. */
    private static final Pattern ITSELF = Pattern.compile("\"?\\$(\\w+|\\{\\w+})\"?");

    private static final List<String> DECLARING = List.of("export", "local", "declare", "readonly", "typeset");

    /** An {@code if}, loop or {@code case} that has not ended; {@code outer}: whether it is reached, {@code seen}: whether an earlier branch was taken. */
    private static final class Frame {
        private final Truth outer;
        private Truth reached = Truth.TRUE;
        private Truth seen = Truth.FALSE;

        Frame(Truth outer) {
            this.outer = outer;
        }
    }

    private final ShellVariables variables = new ShellVariables();
    private final ShellExpansion expansion = new ShellExpansion(variables);
    private final ShellCondition condition = new ShellCondition(expansion);
    private final List<List<ShellWord>> commands = new ArrayList<>();
    private final List<ShellWord> assigned = new ArrayList<>();
    private final Deque<Frame> frames = new ArrayDeque<>();
    private Truth last = Truth.UNKNOWN;

    private ShellScript() {}

    /** Follows the script; what lies beyond its first 256 KiB is left out. */
    public static ShellScript of(String text) {
        ShellScript script = new ShellScript();
        script.follow(ShellLexer.tokens(text.length() <= LONGEST ? text : text.substring(0, LONGEST)));
        return script;
    }

    /** The simple commands that are or may be run, each as its words. */
    public List<List<ShellWord>> commands() {
        return List.copyOf(commands);
    }

    /** The words of all that is assigned, in order. */
    public List<ShellWord> assigned() {
        return List.copyOf(assigned);
    }

    private void follow(List<ShellLexer.Token> tokens) {
        List<String> words = new ArrayList<>();
        String before = "";
        boolean target = false;
        for (ShellLexer.Token token : tokens) {
            if (!token.operator()) {
                if (!target) {
                    words.add(token.text());
                }
                target = false;
            } else if (token.text().equals(">")) {
                target = true;
            } else {
                target = false;
                statement(words, before);
                words.clear();
                before = token.text();
            }
        }
        statement(words, before);
    }

    /** @param before the operator before the statement */
    private void statement(List<String> words, String before) {
        int begin = 0;
        while (begin < words.size() && keyword(words.subList(begin, words.size()))) {
            begin++;
        }
        if (begin >= words.size()) {
            return;
        }
        Truth reached = reached(before);
        if (reached != Truth.FALSE) {
            run(words.subList(begin, words.size()), reached == Truth.TRUE);
            last = reached == Truth.TRUE ? last : Truth.UNKNOWN;
        }
    }

    private Truth reached(String before) {
        Truth here = switch (before) {
            case "&&" -> last;
            case "||" -> last.not();
            default -> Truth.TRUE;
        };
        return top().map(frame -> frame.outer.and(frame.reached))
                .orElse(Truth.TRUE)
                .and(here);
    }

    /** Whether the first word is one that only steers. */
    private boolean keyword(List<String> words) {
        switch (words.get(0)) {
            case "if" -> open(Truth.TRUE);
            case "then" -> top().ifPresent(this::then);
            case "elif" -> top().ifPresent(frame -> frame.reached = frame.seen.not());
            case "else" -> top().ifPresent(frame -> frame.reached = frame.seen.not());
            case "while", "until", "case" -> open(Truth.UNKNOWN);
            case "for" -> {
                return loop(words);
            }
            case "fi", "done", "esac" -> frames.poll();
            case "do", "{", "}", "!", "time" -> {
                return true;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private Optional<Frame> top() {
        return Optional.ofNullable(frames.peek());
    }

    private void open(Truth reached) {
        Frame frame = new Frame(reached(""));
        frame.reached = reached;
        frames.push(frame);
    }

    private void then(Frame frame) {
        Truth earlier = frame.seen;
        frame.reached = earlier.not().and(last);
        frame.seen = earlier.or(last);
    }

    /** {@code for NAME in WORDS}: one word is as good as an assignment. */
    private boolean loop(List<String> words) {
        if (words.size() < 2 || !words.get(1).matches("[A-Za-z_]\\w{0,200}")) {
            open(Truth.UNKNOWN);
            return true;
        }
        List<ShellWord> values = new ArrayList<>();
        words.stream().skip(3).forEach(raw -> values.addAll(expansion.words(raw)));
        boolean single = values.size() == 1 && values.get(0).unknown().isEmpty();
        boolean sure = reached("") == Truth.TRUE;
        variables.set(words.get(1), List.of(ShellWord.unknown("$" + words.get(1), ShellWord.Reason.VARIES)), true);
        if (single) {
            variables.set(words.get(1), values, sure);
        }
        open(single ? Truth.TRUE : Truth.UNKNOWN);
        words.subList(1, words.size()).clear();
        return true;
    }

    private void run(List<String> raws, boolean certain) {
        if (condition.isTest(raws.get(0))) {
            last = condition.of(raws);
            return;
        }
        int begin = DECLARING.contains(raws.get(0)) ? 1 : 0;
        int assignments = begin;
        while (assignments < raws.size()
                && (ASSIGNMENT.matcher(raws.get(assignments)).matches()
                        || begin == 1 && !raws.get(assignments).startsWith("--"))) {
            assignments++;
        }
        if (assignments == raws.size()) {
            raws.subList(begin, assignments).forEach(raw -> assign(raw, certain));
            last = Truth.TRUE;
            return;
        }
        List<ShellWord> words = new ArrayList<>();
        raws.subList(begin == 1 ? 0 : assignments, raws.size()).forEach(raw -> words.addAll(expansion.words(raw)));
        last = Truth.UNKNOWN;
        if (!words.isEmpty()) {
            commands.add(List.copyOf(words));
        }
    }

    private void assign(String raw, boolean certain) {
        Matcher parts = ASSIGNMENT.matcher(raw);
        if (!parts.matches()) {
            return;
        }
        String right = parts.group(3);
        boolean array = right.startsWith("(");
        boolean itself = ITSELF.matcher(right).matches();
        expansion.appendsTo(itself ? "" : parts.group(1));
        List<ShellWord> words = new ArrayList<>();
        if (array) {
            String inner = right.substring(1, right.endsWith(")") ? right.length() - 1 : right.length());
            for (ShellLexer.Token token : ShellLexer.tokens(inner)) {
                if (!token.operator()) {
                    words.addAll(expansion.words(token.text()));
                }
            }
            assigned.addAll(words);
        } else {
            words.add(expansion.value(right));
            assigned.addAll(ShellExpansion.blankSeparated(words.get(0)));
        }
        expansion.appendsTo("");
        if (parts.group(2).isEmpty()) {
            variables.set(parts.group(1), words, certain);
        } else {
            variables.append(parts.group(1), words, array, certain);
        }
    }
}
