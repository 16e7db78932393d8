package dev.lacuna.ui.theme;

import atlantafx.base.theme.PrimerDark;
import atlantafx.base.theme.PrimerLight;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.text.Texts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.application.Application;
import javafx.application.ConditionalFeature;
import javafx.application.Platform;
import javafx.beans.value.ObservableValue;
import javafx.scene.Scene;
import javafx.scene.text.Font;

/**
 * Dresses a scene: AtlantaFX's Primer below, then our colours (one file per appearance), the palette that is chosen,
 * then one file per component.
 * Components name meanings ({@code -lacuna-reserved}), never colours.
 */
public final class StyleSheets {
    /** In the order in which they override each other. */
    private static final List<String> COMPONENTS = List.of(
            "bridge",
            "shell",
            "components",
            "processes",
            "diagnose",
            "live",
            "chart",
            "whatif",
            "snapshot",
            "blocks",
            "who",
            "swap",
            "planner");

    /** The first that the machine has, before DejaVu, which runs wide. CJK fonts space Latin words unevenly. */
    private static final List<String> LATIN_FONTS =
            List.of("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Liberation Sans");

    private static final List<String> CHINESE_FONTS =
            List.of("Noto Sans CJK SC", "Source Han Sans SC", "Noto Sans SC", "WenQuanYi Micro Hei", "Microsoft YaHei");

    private static final List<String> MONO_FONTS =
            List.of("Noto Sans Mono CJK SC", "Source Han Mono SC", "WenQuanYi Zen Hei Mono");

    private static final String WIDE_FONT = "System";
    private static final int FONT_SIZE = 13;
    private static final int WIDE_FONT_SIZE = 12;

    private StyleSheets() {}

    /** Dresses this scene, now and whenever the appearance, the palette or the language changes. */
    public static void dress(
            Scene scene,
            ObservableValue<Appearance> appearance,
            ObservableValue<PaletteChoice> palette,
            ObservableValue<OwnColours> own) {
        Runnable dress = () -> {
            Application.setUserAgentStylesheet(
                    appearance.getValue() == Appearance.DARK
                            ? new PrimerDark().getUserAgentStylesheet()
                            : new PrimerLight().getUserAgentStylesheet());
            Optional<Palette> colours = Palette.of(palette.getValue(), own.getValue(), appearance.getValue());
            scene.getStylesheets().setAll(sheets(appearance.getValue(), colours, Texts.locale()));
        };
        appearance.addListener((property, before, now) -> dress.run());
        palette.addListener((property, before, now) -> dress.run());
        own.addListener((property, before, now) -> dress.run());
        Texts.languageProperty().addListener((property, before, now) -> dress.run());
        dress.run();
    }

    private static List<String> sheets(Appearance appearance, Optional<Palette> colours, Locale locale) {
        List<String> sheets = new ArrayList<>();
        sheets.add(fonts(locale));
        sheets.add(file(appearance == Appearance.DARK ? "colors-dark" : "colors-light")
                .orElseThrow());
        colours.ifPresent(palette -> sheets.add(inline(palette.sheet())));
        // A component may have no sheet of its own.
        COMPONENTS.forEach(component -> file(component).ifPresent(sheets::add));
        if (!Platform.isSupported(ConditionalFeature.TRANSPARENT_WINDOW)) {
            file("square").ifPresent(sheets::add);
        }
        return sheets;
    }

    private static Optional<String> file(String name) {
        return Optional.ofNullable(StyleSheets.class.getResource("/dev/lacuna/ui/style/" + name + ".css"))
                .map(Object::toString);
    }

    /**
     * Fonts by name: JavaFX falls back to TrueType fonts only, and the Chinese ones of most Linux systems are not. What
     * operators write themselves (logs, commands, paths) is therefore always set in a font that has both scripts.
     */
    private static String fonts(Locale locale) {
        String chinese = first(CHINESE_FONTS).orElse(WIDE_FONT);
        String family = locale.equals(Locale.SIMPLIFIED_CHINESE)
                ? chinese
                : first(LATIN_FONTS).orElse(WIDE_FONT);
        int size = family.equals(WIDE_FONT) ? WIDE_FONT_SIZE : FONT_SIZE;
        String sheet = ".root { -fx-font-family: \"%s\"; -fx-font-size: %dpx; }".formatted(family, size)
                + ".cjk, .menu-item.cjk > .label { -fx-font-family: \"%s\"; }".formatted(chinese)
                + ".mono, .code-area.mono .text { -fx-font-family: \"%s\"; -fx-font-size: 1.05em; }"
                        .formatted(first(MONO_FONTS).orElse("monospace"));
        return inline(sheet);
    }

    private static String inline(String sheet) {
        return "data:text/css;base64," + Base64.getEncoder().encodeToString(sheet.getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<String> first(List<String> wanted) {
        return wanted.stream()
                .filter(name -> Font.font(name).getFamily().equals(name))
                .findFirst();
    }
}
