package dev.lacuna.core.config.shellscript;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whole-number arithmetic as in {@code $((N * 4))}: names, + − * / % **, comparisons and parentheses, in 64 bits. */
final class ShellArithmetic {
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(\\d{1,18}(?![\\w.])|[A-Za-z_]\\w{0,200}|\\*\\*|[<>=!]=|[-+*/%()<>])");
    private static final List<List<String>> LEVELS =
            List.of(List.of("==", "!="), List.of("<", ">", "<=", ">="), List.of("+", "-"), List.of("*", "/", "%"));
    private static final int DEEPEST = 40;

    /** Why an expression has no value here. */
    private static final class NoValue extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Optional<ShellWord.Unknown> unknown;

        NoValue(Optional<ShellWord.Unknown> unknown) {
            super("", null, false, false);
            this.unknown = unknown;
        }
    }

    private final ShellVariables variables;
    private final Matcher tokens;
    private Optional<String> next;
    private int depth;

    private ShellArithmetic(String expression, ShellVariables variables) {
        this.variables = variables;
        this.tokens = TOKEN.matcher(expression);
        this.next = Optional.empty();
    }

    /**
     * The value as a word.
     *
     * @param written how an unknown value is named
     */
    static ShellWord evaluate(String expression, String written, ShellVariables variables) {
        ShellArithmetic arithmetic = new ShellArithmetic(expression, variables);
        try {
            arithmetic.advance();
            long value = arithmetic.level(0);
            if (arithmetic.next.isEmpty()
                    && expression.substring(arithmetic.ended).isBlank()) {
                return ShellWord.of(Long.toString(value));
            }
        } catch (NoValue e) {
            if (e.unknown.isPresent()) {
                return new ShellWord(e.unknown.get().reference(), e.unknown);
            }
        } catch (ArithmeticException e) {
            // Beyond 64 bits, or divided by zero.
        }
        return ShellWord.unknown(written, ShellWord.Reason.BEYOND);
    }

    private int ended;

    private void advance() {
        boolean found = tokens.find() && tokens.start() == ended;
        next = found ? Optional.of(tokens.group(1)) : Optional.empty();
        ended = found ? tokens.end() : ended;
    }

    private boolean takes(String token) {
        if (next.isPresent() && next.get().equals(token)) {
            advance();
            return true;
        }
        return false;
    }

    private long level(int level) throws NoValue {
        if (level == LEVELS.size()) {
            return power();
        }
        long value = level(level + 1);
        while (next.isPresent() && LEVELS.get(level).contains(next.get())) {
            String operator = next.get();
            advance();
            value = apply(operator, value, level(level + 1));
        }
        return value;
    }

    private static long apply(String operator, long a, long b) {
        return switch (operator) {
            case "+" -> Math.addExact(a, b);
            case "-" -> Math.subtractExact(a, b);
            case "*" -> Math.multiplyExact(a, b);
            case "/" -> a / b;
            case "%" -> a % b;
            case "==" -> a == b ? 1 : 0;
            case "!=" -> a == b ? 0 : 1;
            case "<" -> a < b ? 1 : 0;
            case ">" -> a > b ? 1 : 0;
            case "<=" -> a <= b ? 1 : 0;
            default -> a >= b ? 1 : 0;
        };
    }

    private long power() throws NoValue {
        long base = operand();
        if (!takes("**")) {
            return base;
        }
        long exponent = operand();
        long value = 1;
        if (exponent < 0 || exponent > Long.SIZE) {
            throw new ArithmeticException();
        }
        for (long i = 0; i < exponent; i++) {
            value = Math.multiplyExact(value, base);
        }
        return value;
    }

    private long operand() throws NoValue {
        if (++depth > DEEPEST || next.isEmpty()) {
            throw new NoValue(Optional.empty());
        }
        long value;
        if (takes("-")) {
            value = Math.negateExact(operand());
        } else if (takes("+")) {
            value = operand();
        } else if (takes("(")) {
            value = level(0);
            if (!takes(")")) {
                throw new NoValue(Optional.empty());
            }
        } else {
            String token = next.get();
            advance();
            value = Character.isDigit(token.charAt(0)) ? Long.parseLong(token) : variable(token);
        }
        depth--;
        return value;
    }

    private long variable(String name) throws NoValue {
        ShellWord word = variables.first(name);
        OptionalLong number = number(word);
        if (number.isEmpty()) {
            throw new NoValue(word.unknown());
        }
        return number.getAsLong();
    }

    /** A known whole number. */
    static OptionalLong number(ShellWord word) {
        return word.unknown().isEmpty() && word.text().strip().matches("-?\\d{1,18}")
                ? OptionalLong.of(Long.parseLong(word.text().strip()))
                : OptionalLong.empty();
    }
}
