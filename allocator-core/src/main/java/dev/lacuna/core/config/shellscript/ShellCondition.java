package dev.lacuna.core.config.shellscript;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Conditions of a script that can be told without running it: comparisons of what is known. */
final class ShellCondition {
    /** Three-valued truth. */
    enum Truth {
        TRUE,
        FALSE,
        UNKNOWN;

        static Truth of(boolean holds) {
            return holds ? TRUE : FALSE;
        }

        Truth not() {
            return this == UNKNOWN ? UNKNOWN : of(this == FALSE);
        }

        Truth and(Truth other) {
            if (this == FALSE || other == FALSE) {
                return FALSE;
            }
            return this == TRUE && other == TRUE ? TRUE : UNKNOWN;
        }

        Truth or(Truth other) {
            return not().and(other.not()).not();
        }
    }

    private final ShellExpansion expansion;

    ShellCondition(ShellExpansion expansion) {
        this.expansion = expansion;
    }

    boolean isTest(String command) {
        return List.of("[", "[[", "test", "true", "false").contains(command);
    }

    Truth of(List<String> raws) {
        if (raws.get(0).equals("true") || raws.get(0).equals("false")) {
            return Truth.of(raws.get(0).equals("true"));
        }
        List<String> inner = new ArrayList<>(raws.subList(1, raws.size()));
        inner.removeIf(raw -> raw.equals("]") || raw.equals("]]"));
        if (!inner.isEmpty() && inner.get(0).equals("!")) {
            return test(inner.subList(1, inner.size())).not();
        }
        return test(inner);
    }

    private Truth test(List<String> raws) {
        if (raws.size() == 2 && (raws.get(0).equals("-z") || raws.get(0).equals("-n"))) {
            return empty(expansion.value(raws.get(1)), raws.get(0).equals("-z"));
        }
        if (raws.size() != 3) {
            return Truth.UNKNOWN;
        }
        ShellWord left = expansion.value(raws.get(0));
        ShellWord right = expansion.value(raws.get(2));
        if (left.unknown().isPresent() || right.unknown().isPresent()) {
            return Truth.UNKNOWN;
        }
        String operator = raws.get(1);
        return switch (operator) {
            case "=", "==", "!=" ->
                right.text().matches("[^*?\\[]*")
                        ? Truth.of(left.text().equals(right.text()) != operator.equals("!="))
                        : Truth.UNKNOWN;
            default -> compare(left, operator, right);
        };
    }

    /** What the script never sets counts as empty, as it is for whoever starts the script plainly. */
    private static Truth empty(ShellWord word, boolean wanted) {
        if (word.unknown().isPresent() && !word.isNotSet()) {
            return Truth.UNKNOWN;
        }
        return Truth.of((word.isNotSet() || word.text().isEmpty()) == wanted);
    }

    private static Truth compare(ShellWord left, String operator, ShellWord right) {
        OptionalLong a = ShellArithmetic.number(left);
        OptionalLong b = ShellArithmetic.number(right);
        if (a.isEmpty() || b.isEmpty()) {
            return Truth.UNKNOWN;
        }
        int order = Long.compare(a.getAsLong(), b.getAsLong());
        return switch (operator) {
            case "-eq" -> Truth.of(order == 0);
            case "-ne" -> Truth.of(order != 0);
            case "-lt" -> Truth.of(order < 0);
            case "-le" -> Truth.of(order <= 0);
            case "-gt" -> Truth.of(order > 0);
            case "-ge" -> Truth.of(order >= 0);
            default -> Truth.UNKNOWN;
        };
    }
}
