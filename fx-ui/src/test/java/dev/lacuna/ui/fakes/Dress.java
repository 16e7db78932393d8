package dev.lacuna.ui.fakes;

import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A language, a theme and a size that a window is shown in. */
public record Dress(Language language, ThemeChoice theme, int width, int height) {
    private static final int[][] SIZES = {{1280, 800}, {1920, 1080}};

    /**
     * Four dresses in which each language meets each theme and each size, and each theme each size; every one where the
     * tests are nightly ({@code LACUNA_NIGHTLY=1}) or pictures are asked for ({@code -Dlacuna.shots=DIR}).
     */
    public static List<Dress> worn() {
        boolean every = "1".equals(System.getenv("LACUNA_NIGHTLY"))
                || !System.getProperty("lacuna.shots", "").isEmpty();
        List<Dress> worn = new ArrayList<>();
        for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
            for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                boolean small = (language == Language.ENGLISH) == (theme == ThemeChoice.LIGHT);
                for (int[] size : every ? SIZES : new int[][] {small ? SIZES[0] : SIZES[1]}) {
                    worn.add(new Dress(language, theme, size[0], size[1]));
                }
            }
        }
        return worn;
    }

    /** Name of the picture of this scene in this dress. */
    public String name(String scene) {
        return "%s-%s-%s-%dx%d".formatted(scene, language, theme, width, height).toLowerCase(Locale.ROOT);
    }
}
