package dev.lacuna.ui.places.swap;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.window.FigureInput;
import java.util.Locale;
import java.util.Optional;
import javafx.scene.control.Tooltip;

/** The host's budget as a slider up to the machine's memory and as an exact size, in bytes ≥ 1. */
final class BudgetInput extends FigureInput<Long> {
    private static final long GRAIN = 256L << 20;

    private final Tooltip exact = new Tooltip();
    private long mostBytes = 1;
    private long usedBytes;

    BudgetInput(Actions<Long> actions) {
        super("swap-budget", SwapText.TEXTS.bind("budget.name"), 8, 0L, actions);
        field().setTooltip(exact);
    }

    /** Shows what holds, what of it is used and what the machine has, unless the operator is at it. */
    void show(long budgetBytes, long usedBytes, long machineBytes) {
        mostBytes = Math.max(Math.max(1, machineBytes), budgetBytes);
        this.usedBytes = usedBytes;
        low().setText(SwapText.TEXTS.get("budget.used", ByteText.of(usedBytes)));
        high().setText(SwapText.TEXTS.get("budget.machine", ByteText.of(machineBytes)));
        exact.setText(ByteText.exact(budgetBytes));
        hold(budgetBytes);
    }

    @Override
    protected Optional<Long> read(String typed) {
        return parse(typed);
    }

    @Override
    protected String fault() {
        return SwapText.TEXTS.get("budget.fault");
    }

    @Override
    protected String write(Long bytes) {
        return ByteText.of(bytes);
    }

    @Override
    protected Long at(double position) {
        return Math.max(GRAIN, Math.round(position * mostBytes / GRAIN) * GRAIN);
    }

    @Override
    protected Preview preview(Long bytes) {
        return bytes < usedBytes
                ? new Preview(SwapText.TEXTS.get("budget.below", ByteText.of(usedBytes - bytes)), Tone.WARNING)
                : new Preview(SwapText.TEXTS.get("budget.above", ByteText.of(bytes - usedBytes)), Tone.CALM);
    }

    @Override
    protected double position(Long bytes) {
        return (double) bytes / mostBytes;
    }

    /** What was typed, if it is a size: {@code 12 GiB}, {@code 512MiB}; a bare number is GiB, a decimal comma a point. */
    static Optional<Long> parse(String typed) {
        String words = typed.strip().replace(',', '.').replace(" ", "");
        try {
            if (words.matches("\\d+(\\.\\d+)?")) {
                return positive(Math.round(Double.parseDouble(words) * (1L << 30)));
            }
            if (words.matches("(?i)\\d+\\.\\d+(gib|mib)")) {
                boolean gib = words.toLowerCase(Locale.ROOT).endsWith("gib");
                double figure = Double.parseDouble(words.substring(0, words.length() - 3));
                return positive(Math.round(figure * (gib ? 1L << 30 : 1L << 20)));
            }
            return positive(ByteSize.parse(words));
        } catch (IllegalArgumentException notASize) {
            return Optional.empty();
        }
    }

    private static Optional<Long> positive(long bytes) {
        return bytes >= 1 ? Optional.of(bytes) : Optional.empty();
    }
}
