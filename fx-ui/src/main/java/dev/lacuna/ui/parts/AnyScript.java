package dev.lacuna.ui.parts;

import javafx.scene.control.Labeled;

/** Fonts for what operators write themselves: their commands and paths do not follow the window's language. */
public final class AnyScript {
    /** CJK radicals and everything behind them in Unicode. */
    private static final int FIRST_CJK = 0x2E80;

    private AnyScript() {}

    /** Sets this label in a font that has Chinese whenever its text holds some. */
    public static <L extends Labeled> L of(L label) {
        label.textProperty().addListener((property, before, now) -> choose(label));
        choose(label);
        return label;
    }

    private static void choose(Labeled label) {
        String text = label.getText();
        label.getStyleClass().removeAll("cjk");
        if (text != null && text.codePoints().anyMatch(c -> c >= FIRST_CJK)) {
            label.getStyleClass().add("cjk");
        }
    }
}
