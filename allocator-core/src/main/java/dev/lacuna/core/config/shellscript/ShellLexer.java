package dev.lacuna.core.config.shellscript;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Splits a script into raw words, quotes and all, and operators; comments and the bodies of here-documents are left out. */
final class ShellLexer {
    /** @param operator an operator or a line's end, else a word */
    record Token(boolean operator, String text) {}

    private static final String OPERATORS = ";|&<>()";
    private static final Pattern ARRAY = Pattern.compile("[A-Za-z_]\\w{0,200}\\+?=");
    private static final Pattern DESCRIPTOR = Pattern.compile("\\d{1,3}");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private final List<String> hereDocuments = new ArrayList<>();
    private int at;

    private ShellLexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) {
        ShellLexer lexer = new ShellLexer(text.replace("\r\n", "\n"));
        lexer.read();
        return lexer.tokens;
    }

    private void read() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                at++;
                tokens.add(new Token(true, "\n"));
                skipHereDocuments();
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '\\' && continuation() > 0) {
                at = continuation();
            } else if (c == '#') {
                at = Quoting.lineEnd(text, at);
            } else if (OPERATORS.indexOf(c) >= 0 && !(c == '(' && afterFlag())) {
                operator(c);
            } else {
                word();
            }
        }
    }

    /** Where the next line begins, when a backslash and nothing but blanks end this one; else −1. Blanks after it are forgiven. */
    private int continuation() {
        int end = at + 1;
        while (end < text.length() && " \t\r".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end < text.length() && text.charAt(end) == '\n' ? end + 1 : -1;
    }

    /** A list such as {@code ([0]*3+[1]*13)} whose quotes are lost is still the flag's value. */
    private boolean afterFlag() {
        return !tokens.isEmpty()
                && !tokens.get(tokens.size() - 1).operator()
                && tokens.get(tokens.size() - 1).text().startsWith("--");
    }

    private void operator(char c) {
        int begin = at++;
        while (at < text.length() && "&|<>;".indexOf(text.charAt(at)) >= 0 && c != '(' && c != ')') {
            at++;
        }
        String operator = text.substring(begin, at);
        boolean redirects = operator.indexOf('<') >= 0 || operator.indexOf('>') >= 0;
        if (redirects && begin > 0 && Character.isDigit(text.charAt(begin - 1)) && lastIsDescriptor()) {
            tokens.remove(tokens.size() - 1);
        }
        if (operator.equals("<<")) {
            hereDocument();
        }
        tokens.add(new Token(true, redirects ? ">" : operator));
    }

    private boolean lastIsDescriptor() {
        Token last = tokens.get(tokens.size() - 1);
        return !last.operator() && DESCRIPTOR.matcher(last.text()).matches();
    }

    private void hereDocument() {
        int begin = at;
        if (begin < text.length() && text.charAt(begin) == '-') {
            begin++;
        }
        int end = begin;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        hereDocuments.add(text.substring(begin, end).replaceAll("[\"'\\\\]", ""));
    }

    private void skipHereDocuments() {
        for (String mark : hereDocuments) {
            while (at < text.length()) {
                int end = Quoting.lineEnd(text, at);
                String line = text.substring(at, end).strip();
                at = Math.min(text.length(), end + 1);
                if (line.equals(mark)) {
                    break;
                }
            }
        }
        hereDocuments.clear();
    }

    private void word() {
        StringBuilder word = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\' && continuation() == at + 2) {
                at += 2;
                continue;
            }
            if (Character.isWhitespace(c) || OPERATORS.indexOf(c) >= 0 && !(c == '(' && opensList(word))) {
                break;
            }
            int end = part(c);
            word.append(text, at, end);
            at = end;
        }
        tokens.add(new Token(false, word.toString()));
    }

    private boolean opensList(StringBuilder word) {
        return word.length() == 0
                ? afterFlag()
                : word.length() < 202
                        && (ARRAY.matcher(word).matches() || word.indexOf("--") == 0 && word.indexOf("=") > 0);
    }

    /** End of what begins here and belongs together. */
    private int part(char c) {
        int end = switch (c) {
            case '\\' -> at + 1;
            case '\'' -> Quoting.quote(text, at + 1);
            case '"', '`' -> Quoting.end(text, at + 1, c);
            case '(' -> Quoting.end(text, at + 1, ')');
            case '$' ->
                text.startsWith("$(", at)
                        ? Quoting.end(text, at + 2, ')')
                        : text.startsWith("${", at) ? Quoting.end(text, at + 2, '}') : at;
            default -> at;
        };
        return Math.min(text.length(), end + 1);
    }
}
