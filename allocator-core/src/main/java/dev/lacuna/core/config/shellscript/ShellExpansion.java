package dev.lacuna.core.config.shellscript;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns raw words into what they stand for: quotes taken off, variables, arrays and arithmetic filled in, unquoted values split at blanks. */
final class ShellExpansion {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w{0,200}|[0-9@*#?$!-]");
    private static final Pattern BRACES =
            Pattern.compile("(?s)([A-Za-z_]\\w{0,200}|\\d{1,3}|[@*#?])(\\[[^\\]]{0,40}\\])?(.*)");
    private static final Pattern OTHERWISE = Pattern.compile("(?s)(:?)([-=+?])(.*)");
    private static final int DEEPEST = 40;
    /** Characters that all expansions of a script may write together. */
    private static final long MOST_WRITTEN = 1 << 20;

    private final ShellVariables variables;
    /** The variable that is appended to itself: as long as it is not set it is empty, as for whoever starts the script plainly. */
    private String appended = "";

    private long written;

    ShellExpansion(ShellVariables variables) {
        this.variables = variables;
    }

    /** What a word of a command stands for: none, one or several words. */
    List<ShellWord> words(String raw) {
        Words words = new Words(true);
        expand(raw, false, words, 0);
        return words.done();
    }

    /** @param name the variable whose value is made of its own and more from here on; empty where none is */
    void appendsTo(String name) {
        appended = name;
    }

    /** What an assignment's right side stands for, which is never split. */
    ShellWord value(String raw) {
        return value(raw, 0);
    }

    /** The words in a value, parted at blanks. */
    static List<ShellWord> blankSeparated(ShellWord value) {
        List<ShellWord> words = new ArrayList<>();
        for (String part : value.text().split("\\s+", -1)) {
            if (!part.isEmpty()) {
                words.add(new ShellWord(part, value.unknown().filter(u -> part.contains(u.reference()))));
            }
        }
        return words;
    }

    private ShellWord value(String raw, int depth) {
        Words words = new Words(false);
        expand(raw, false, words, depth);
        List<ShellWord> done = words.done();
        return done.isEmpty() ? ShellWord.of("") : done.get(0);
    }

    private void expand(String raw, boolean quoted, Words out, int depth) {
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i);
            if (c == '\\' && i + 1 < raw.length()) {
                char escaped = raw.charAt(i + 1);
                if (escaped != '\n') {
                    out.text(quoted && "$\"`\\".indexOf(escaped) < 0 ? "\\" + escaped : "" + escaped);
                }
                i += 2;
            } else if (c == '\'' && !quoted) {
                int end = Quoting.quote(raw, i + 1);
                out.text(raw.substring(i + 1, end));
                i = end + 1;
            } else if (c == '"' && !quoted) {
                int end = Quoting.end(raw, i + 1, '"');
                out.text("");
                expand(raw.substring(i + 1, end), true, out, depth);
                i = end + 1;
            } else if (c == '`') {
                int end = Quoting.end(raw, i + 1, '`');
                out.value(List.of(command(raw.substring(i, Math.min(raw.length(), end + 1)))), true);
                i = end + 1;
            } else if (c == '$') {
                i = reference(raw, i, quoted, out, depth);
            } else {
                out.text(String.valueOf(c));
                i++;
            }
        }
    }

    private static ShellWord command(String written) {
        return ShellWord.unknown(written, ShellWord.Reason.COMMAND);
    }

    /** Fills in what begins with this dollar sign; where it ends. */
    private int reference(String raw, int at, boolean quoted, Words out, int depth) {
        if (raw.startsWith("$(", at)) {
            int end = Quoting.end(raw, at + 2, ')');
            String whole = raw.substring(at, Math.min(raw.length(), end + 1));
            boolean arithmetic = whole.startsWith("$((") && whole.endsWith("))");
            out.value(
                    List.of(
                            arithmetic
                                    ? arithmetic(whole.substring(3, whole.length() - 2), whole, depth)
                                    : command(whole)),
                    true);
            return end + 1;
        }
        if (raw.startsWith("${", at)) {
            int end = Quoting.end(raw, at + 2, '}');
            String inner = raw.substring(at + 2, end);
            out.value(depth < DEEPEST ? braces(inner, depth) : List.of(beyond("${" + inner + "}")), quoted);
            return end + 1;
        }
        Matcher name = NAME.matcher(raw).region(at + 1, raw.length());
        if (name.lookingAt()) {
            out.value(isEmpty(name.group()) ? List.of() : List.of(variables.first(name.group())), quoted);
            return name.end();
        }
        out.text("$");
        return at + 1;
    }

    private ShellWord arithmetic(String expression, String whole, int depth) {
        if (depth >= DEEPEST) {
            return beyond(whole);
        }
        Words words = new Words(false);
        expand(expression, true, words, depth + 1);
        ShellWord filled = words.done().stream().findFirst().orElse(ShellWord.of(""));
        return filled.unknown().isPresent()
                ? new ShellWord(filled.unknown().get().reference(), filled.unknown())
                : ShellArithmetic.evaluate(filled.text(), whole, variables);
    }

    private static ShellWord beyond(String reference) {
        return ShellWord.unknown(reference, ShellWord.Reason.BEYOND);
    }

    /** <code>${NAME}</code> and its forms with a value for the case that it is not set. */
    private List<ShellWord> braces(String inner, int depth) {
        boolean length = inner.startsWith("#") && inner.length() > 1;
        Matcher parts = BRACES.matcher(length ? inner.substring(1) : inner);
        if (!parts.matches()) {
            return List.of(beyond("${" + inner + "}"));
        }
        String name = parts.group(1);
        List<ShellWord> held = held(name, Optional.ofNullable(parts.group(2)).orElse(""));
        if (length) {
            return List.of(length(name, parts.group(2) == null, held, inner));
        }
        String rest = parts.group(3);
        if (rest.isEmpty()) {
            return isEmpty(name) ? List.of() : held;
        }
        Matcher otherwise = OTHERWISE.matcher(rest);
        boolean notSet = held.size() == 1 && held.get(0).isNotSet();
        if (!otherwise.matches()) {
            return List.of(notSet ? held.get(0) : beyond("${" + inner + "}"));
        }
        boolean known = held.stream().allMatch(word -> word.unknown().isEmpty());
        boolean empty = known && held.stream().allMatch(word -> word.text().isEmpty());
        boolean lacks = notSet || empty && !otherwise.group(1).isEmpty();
        return switch (otherwise.group(2)) {
            case "+" -> lacks ? List.of(ShellWord.of("")) : List.of(value(otherwise.group(3), depth + 1));
            case "?" -> held;
            default -> lacks ? otherwise(name, otherwise, depth) : held;
        };
    }

    private boolean isEmpty(String name) {
        return name.equals(appended) && variables.get(name).isEmpty();
    }

    private List<ShellWord> otherwise(String name, Matcher otherwise, int depth) {
        List<ShellWord> words = List.of(value(otherwise.group(3), depth + 1));
        if (otherwise.group(2).equals("=")) {
            variables.set(name, words, true);
        }
        return words;
    }

    private static ShellWord length(String name, boolean plain, List<ShellWord> held, String inner) {
        Optional<ShellWord> unknown =
                held.stream().filter(word -> word.unknown().isPresent()).findFirst();
        if (unknown.isPresent()) {
            return unknown.get();
        }
        if (!Character.isJavaIdentifierStart(name.charAt(0))) {
            return beyond("${" + inner + "}");
        }
        return ShellWord.of(Integer.toString(plain ? held.get(0).text().length() : held.size()));
    }

    private List<ShellWord> held(String name, String index) {
        if (index.isEmpty()) {
            return List.of(variables.first(name));
        }
        Optional<List<ShellWord>> all = variables.get(name);
        if (all.isEmpty()) {
            return List.of(variables.first(name));
        }
        if (index.equals("[@]") || index.equals("[*]")) {
            return all.get();
        }
        String number = index.substring(1, index.length() - 1);
        return number.matches("\\d{1,5}")
                        && Integer.parseInt(number) < all.get().size()
                ? List.of(all.get().get(Integer.parseInt(number)))
                : List.of(beyond("${" + name + index + "}"));
    }

    /** Words as they grow. */
    private final class Words {
        private final boolean splits;
        private final List<ShellWord> done = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private Optional<ShellWord.Unknown> unknown = Optional.empty();
        private boolean open;

        Words(boolean splits) {
            this.splits = splits;
        }

        /** What stands in the script itself. */
        void text(String more) {
            open = true;
            text.append(more);
        }

        private void filledIn(String more) {
            written += more.length();
            if (written <= MOST_WRITTEN) {
                text(more);
            } else if (unknown.isEmpty()) {
                unknown = Optional.of(new ShellWord.Unknown("…", ShellWord.Reason.BEYOND));
            }
        }

        void value(List<ShellWord> words, boolean quoted) {
            boolean first = true;
            for (ShellWord word : words) {
                if (++written > MOST_WRITTEN) {
                    break;
                }
                if (!first) {
                    between();
                }
                first = false;
                if (quoted
                        || !splits
                        || word.unknown().isPresent() && word.text().indexOf('\n') < 0 && single(word)) {
                    take(word);
                } else {
                    split(word);
                }
            }
        }

        private boolean single(ShellWord word) {
            return word.text().equals(word.unknown().orElseThrow().reference());
        }

        private void between() {
            if (splits) {
                cut();
            } else {
                text(" ");
            }
        }

        private void take(ShellWord word) {
            open = true;
            filledIn(word.text());
            unknown = unknown.or(word::unknown);
        }

        /** Blanks in a value part words; an unknown part in it belongs to the word that it stands in. */
        private void split(ShellWord word) {
            if (!word.text().isEmpty() && Character.isWhitespace(word.text().charAt(0))) {
                cut();
            }
            boolean first = true;
            for (ShellWord part : blankSeparated(word)) {
                if (!first) {
                    cut();
                }
                first = false;
                take(part);
            }
            if (!first && Character.isWhitespace(word.text().charAt(word.text().length() - 1))) {
                cut();
            }
        }

        private void cut() {
            if (open) {
                done.add(new ShellWord(text.toString(), unknown));
                text.setLength(0);
                unknown = Optional.empty();
                open = false;
            }
        }

        List<ShellWord> done() {
            cut();
            return List.copyOf(done);
        }
    }
}
