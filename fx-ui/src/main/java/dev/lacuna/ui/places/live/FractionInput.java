package dev.lacuna.ui.places.live;

import dev.lacuna.ui.guard.GuardRefusal;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FigureInput;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;

/** The memory fraction, above 0 to 1, as a slider and as an exact figure, with the lowest safe value marked. */
final class FractionInput extends FigureInput<Double> {
    private static final Texts TEXTS = Texts.of("live");

    private final Region safeMark = new Region();
    private final Tooltip lowMeaning = new Tooltip();
    private final DoubleFunction<Optional<FractionPreview>> previews;
    private double lowestSafe = -1;

    /** @param previews tells what a fraction would come to; empty before the first counters */
    FractionInput(Actions<Double> actions, DoubleFunction<Optional<FractionPreview>> previews) {
        super("live-fraction", TEXTS.bind("control.fraction"), 5, 1.0, actions);
        this.previews = previews;
        safeMark.getStyleClass().add("safe-mark");
        safeMark.setManaged(false);
        safeMark.setMouseTransparent(true);
        high().setText("1.00");
        lowMeaning.setWrapText(true);
        lowMeaning.setMaxWidth(360);
        low().setTooltip(lowMeaning);
        getChildren().add(safeMark);
    }

    /** Shows what holds and what is safe, unless the operator is at it. */
    void show(double fraction, double lowestSafeFraction, boolean isAnySafe) {
        low().setText(
                        isAnySafe
                                ? TEXTS.get("control.lowest", text(roundedUp(lowestSafeFraction)))
                                : TEXTS.get("control.lowest.none"));
        lowMeaning.setText(TEXTS.get("control.lowest.why"));
        if (lowestSafeFraction != lowestSafe) {
            lowestSafe = lowestSafeFraction;
            requestLayout();
        }
        hold(fraction);
    }

    /** A figure with as many decimals as it needs, two at least. */
    static String text(double fraction) {
        String exact = String.format(Locale.ROOT, "%.4f", fraction);
        return exact.endsWith("00") ? exact.substring(0, exact.length() - 2) : exact;
    }

    /** Rounded to hundredths so that the figure shown is itself safe. */
    static double roundedUp(double fraction) {
        return GuardRefusal.roundedUp(fraction);
    }

    /** What was typed, if it is a fraction the agent could take. A decimal comma counts as a point, a % as hundredths. */
    static Optional<Double> parse(String typed) {
        try {
            String words = typed.strip().replace(',', '.').replace('％', '%');
            boolean percent = words.endsWith("%");
            double figure = Double.parseDouble(percent ? words.substring(0, words.length() - 1) : words);
            double fraction = percent ? figure / 100 : figure;
            return fraction > 0 && fraction <= 1 ? Optional.of(fraction) : Optional.empty();
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    @Override
    protected Optional<Double> read(String typed) {
        return parse(typed);
    }

    @Override
    protected String fault() {
        return TEXTS.get("fraction.fault");
    }

    @Override
    protected String write(Double fraction) {
        return text(fraction);
    }

    @Override
    protected Double at(double position) {
        return Math.max(0.01, Math.round(position * 100) / 100.0);
    }

    @Override
    protected Preview preview(Double fraction) {
        return previews.apply(fraction)
                .map(preview -> new Preview(words(preview), tone(preview)))
                .orElseGet(() -> new Preview("", Tone.CALM));
    }

    /** The cap, how far it is from what the last steps took, and what would happen. */
    static String words(FractionPreview preview) {
        String cap = ByteText.of(preview.capBytes());
        String far = TEXTS.get(
                preview.roomBytes() < 0 ? "preview.below" : "preview.above",
                ByteText.of(Math.abs(preview.roomBytes())),
                preview.window()
                        .map(StepText::of)
                        .map(steps -> TEXTS.get("preview.peak", steps))
                        .orElseGet(() -> TEXTS.get("preview.now")));
        String outcome = switch (preview.outcome()) {
            case FITS -> "";
            case FITS_TIGHTLY -> TEXTS.get("preview.tight");
            case UNSURE -> TEXTS.get("preview.unsure", ByteText.of(preview.lowestSafeBytes()));
            case REFUSED ->
                preview.isAnySafe()
                        ? TEXTS.get("preview.refused", ByteText.of(preview.lowestSafeBytes()))
                        : TEXTS.get("preview.refused.any");
        };
        boolean silent = preview.outcome() == FractionPreview.Outcome.REFUSED;
        String back = silent || !preview.givesBack()
                ? ""
                : preview.unreachedBytes() > 0
                        ? TEXTS.get("preview.unreached", ByteText.of(preview.unreachedBytes()))
                        : TEXTS.get("preview.back");
        return TEXTS.get("preview.sentence", cap, far, outcome + back);
    }

    private static Tone tone(FractionPreview preview) {
        return switch (preview.outcome()) {
            case FITS -> Tone.CALM;
            case FITS_TIGHTLY, UNSURE -> Tone.WARNING;
            case REFUSED -> Tone.DANGER;
        };
    }

    @Override
    protected double position(Double fraction) {
        return fraction;
    }

    @Override
    protected void layoutChildren() {
        super.layoutChildren();
        // The thumb's centre travels from half its width to half its width before the end.
        double inset = 8;
        double x = slider().getLayoutX() + inset + Math.max(0, lowestSafe) * (slider().getWidth() - 2 * inset);
        safeMark.setVisible(lowestSafe > 0 && lowestSafe <= 1);
        safeMark.resizeRelocate(Math.round(x), slider().getLayoutY() + slider().getHeight() / 2 + 4, 2, 8);
    }
}
