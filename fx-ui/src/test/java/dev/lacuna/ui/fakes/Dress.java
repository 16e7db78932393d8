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
     * Each language in a theme of its own, in the size in which texts have least room; every dress where the tests are nightly
     * ({@code LACUNA_NIGHTLY=1}) or pictures are asked for ({@code -Dlacuna.shots=DIR}).
     */
    public static List<Dress> worn() {
        boolean every = "1".equals(System.getenv("LACUNA_NIGHTLY"))
                || !System.getProperty("lacuna.shots", "").isEmpty();
        return every
                ? everyDress()
                : List.of(
                        new Dress(Language.ENGLISH, ThemeChoice.LIGHT, SIZES[0][0], SIZES[0][1]),
                        new Dress(Language.CHINESE, ThemeChoice.DARK, SIZES[0][0], SIZES[0][1]));
    }

    private static List<Dress> everyDress() {
        List<Dress> every = new ArrayList<>();
        for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
            for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                for (int[] size : SIZES) {
                    every.add(new Dress(language, theme, size[0], size[1]));
                }
            }
        }
        return every;
    }

    /** Name of the picture of this scene in this dress. */
    public String name(String scene) {
        return "%s-%s-%s-%dx%d".formatted(scene, language, theme, width, height).toLowerCase(Locale.ROOT);
    }
}
