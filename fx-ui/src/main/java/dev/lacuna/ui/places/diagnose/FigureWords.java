package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;

/**
 * A number of a finding with its name, in the language of the window.
 *
 * @param name what it is
 * @param text such as {@code 2.73 GiB}
 * @param exact every digit
 * @param style colour of its meaning, such as {@code gap}; empty for none
 */
record FigureWords(String name, String text, String exact, String style) {
    static FigureWords of(Finding.Figure figure) {
        return new FigureWords(
                DiagnosisText.name(Texts.locale(), figure),
                ByteText.of(figure.bytes()),
                ByteText.exact(figure.bytes()),
                style(figure.name()));
    }

    private static String style(String figure) {
        return switch (figure) {
            case "tried", "allocated", "reserved", "free", "gap", "outside", "total" -> figure;
            case "allowed" -> "limit";
            default -> "";
        };
    }
}
