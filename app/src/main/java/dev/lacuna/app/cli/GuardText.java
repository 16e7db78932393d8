package dev.lacuna.app.cli;

import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.GuardFigures.Basis;
import dev.lacuna.bridge.Reply;
import dev.lacuna.core.memory.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** A refusal of the guard in words: what was refused, the lowest safe value, how sure that is. */
final class GuardText {
    private GuardText() {}

    /** One line for each. */
    static String of(Reply.Refused refused) {
        List<String> lines = new ArrayList<>();
        lines.add(CliTexts.text("set.refused", refused.code(), refused.text()));
        refused.guard().ifPresent(figures -> {
            lowest(figures, lines);
            figures.basis()
                    .filter(basis -> basis == Basis.PEAK_RESERVED || figures.steps().isPresent())
                    .ifPresent(basis -> lines.add(
                            CliTexts.text("set.guard." + basis.word(), Long.toString(figures.steps().orElse(0)))));
        });
        return String.join(System.lineSeparator(), lines);
    }

    private static void lowest(GuardFigures figures, List<String> lines) {
        // An older agent tells the fraction alone.
        String bytes = figures.lowestSafeBytes().isPresent()
                ? ByteSize.format(figures.lowestSafeBytes().getAsLong())
                : "?";
        if (figures.lowestSafeFraction().isPresent()) {
            lines.add(CliTexts.text(
                    "set.guard.lowest",
                    Fractions.text(figures.lowestSafeFraction().getAsDouble()),
                    bytes));
        } else if (figures.lowestSafeBytes().isPresent()) {
            lines.add(CliTexts.text("set.guard.beyond", bytes));
        }
    }
}
