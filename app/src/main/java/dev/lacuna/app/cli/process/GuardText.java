package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.Reply;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.SafeBasis;
import java.util.ArrayList;
import java.util.List;

/** A refusal of the guard in words: what was refused, the lowest safe value, how sure that is. */
final class GuardText {
    private GuardText() {}

    /**
     * One line for each.
     *
     * @param totalBytes of the device
     */
    static String of(Reply.Refused refused, long totalBytes) {
        List<String> lines = new ArrayList<>();
        lines.add(CliText.text("set.refused", refused.code(), refused.text()));
        refused.guard().map(reported -> reported.on(totalBytes)).ifPresent(figures -> {
            lowest(figures, totalBytes, lines);
            figures.basis()
                    .filter(basis ->
                            basis == SafeBasis.PEAK_RESERVED || figures.steps().isPresent())
                    .ifPresent(basis -> lines.add(CliText.text(
                            "set.guard." + basis.label()
                                    + (basis == SafeBasis.PEAK_RESERVED
                                                    && figures.steps().orElse(0) > 1
                                            ? ".steps"
                                            : ""),
                            figures.steps().orElse(0))));
        });
        return String.join(System.lineSeparator(), lines);
    }

    /** By how much the device is too small was not looked for: the refusal says that it is. */
    private static boolean isUnknown(GuardFigures figures) {
        return figures.basis().filter(SafeBasis.REPLAYED::equals).isPresent();
    }

    private static void lowest(GuardFigures figures, long totalBytes, List<String> lines) {
        if (figures.lowestSafeFraction().isPresent()) {
            double fraction = figures.lowestSafeFraction().getAsDouble();
            // An older agent tells the fraction alone.
            long bytes = figures.lowestSafeBytes().orElse((long) Math.ceil(fraction * totalBytes));
            lines.add(CliText.text("set.guard.lowest", Fractions.text(fraction), ByteSize.format(bytes)));
        } else if (figures.lowestSafeBytes().isPresent() && !isUnknown(figures)) {
            lines.add(CliText.text(
                    "set.guard.beyond",
                    ByteSize.format(figures.lowestSafeBytes().getAsLong())));
        }
    }
}
