package dev.lacuna.core.allocator.settings;

import java.util.ArrayList;
import java.util.List;

/**
 * A configuration string in pieces: the marks {@code , : [ ]} and the words between them. White space means nothing, not even
 * inside a word; so PyTorch's ConfigTokenizer has it.
 */
final class ConfTokens {
    private static final String MARKS = ",:[]";

    /** Longest decimal number that always fits in 63 bits. */
    private static final int MAX_DIGITS = 18;

    private final List<String> tokens = new ArrayList<>();
    private int at;

    ConfTokens(String text) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (MARKS.indexOf(c) >= 0) {
                endWord(word);
                tokens.add(String.valueOf(c));
            } else if (!Character.isWhitespace(c)) {
                word.append(c);
            }
        }
        endWord(word);
    }

    boolean atEnd() {
        return at == tokens.size();
    }

    /** Takes this mark if it comes next. */
    boolean take(String mark) {
        boolean next = !atEnd() && tokens.get(at).equals(mark);
        at += next ? 1 : 0;
        return next;
    }

    /** Takes this mark, which has to come next; {@code where} says what it belongs to. */
    void expect(String mark, String where) {
        if (!take(mark)) {
            throw new AllocConfException("expected '" + mark + "' " + where + describeNext());
        }
    }

    /** Takes a word; {@code what} says what is expected. */
    String word(String what) {
        if (atEnd() || MARKS.contains(tokens.get(at))) {
            throw new AllocConfException("expected " + what + describeNext());
        }
        return tokens.get(at++);
    }

    /** Takes a whole number ≥ 0; larger than any size counts as 10^18. */
    long number(String what) {
        String word = word(what);
        if (!word.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new AllocConfException("expected " + what + ", a whole number, but found '" + word + "'");
        }
        String digits = word.replaceFirst("^0+(?=.)", "");
        return digits.length() > MAX_DIGITS ? 1_000_000_000_000_000_000L : Long.parseLong(digits);
    }

    /** Takes a number such as 0.8. */
    double decimal(String what) {
        String word = word(what);
        try {
            if (word.matches("[0-9.eE+-]+")) {
                return Double.parseDouble(word);
            }
        } catch (NumberFormatException e) {
            // Falls through: the message is the same.
        }
        throw new AllocConfException("expected " + what + ", a number, but found '" + word + "'");
    }

    /** Takes {@code True} or {@code False}. */
    boolean truth(String key) {
        String word = word("True or False for " + key);
        return switch (word) {
            case "True" -> true;
            case "False" -> false;
            default -> throw new AllocConfException("expected True or False for " + key + ", but found '" + word + "'");
        };
    }

    /** Takes a value that is not looked into: a word, or a list in brackets; as written, without white space. */
    String raw(String key) {
        if (!take("[")) {
            return word("a value for " + key);
        }
        StringBuilder list = new StringBuilder("[");
        while (!take("]")) {
            if (atEnd()) {
                throw new AllocConfException("expected ']' after the list of " + key + describeNext());
            }
            list.append(tokens.get(at++));
        }
        return list.append(']').toString();
    }

    private void endWord(StringBuilder word) {
        if (word.length() > 0) {
            tokens.add(word.toString());
            word.setLength(0);
        }
    }

    private String describeNext() {
        return atEnd() ? ", but the string ends" : ", but found '" + tokens.get(at) + "'";
    }
}
