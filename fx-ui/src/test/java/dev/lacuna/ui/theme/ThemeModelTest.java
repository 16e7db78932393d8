package dev.lacuna.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.util.Optional;
import javafx.beans.property.SimpleObjectProperty;
import org.junit.jupiter.api.Test;

class ThemeModelTest {
    private final SimpleObjectProperty<ThemeChoice> choice = new SimpleObjectProperty<>(ThemeChoice.SYSTEM);
    private Optional<Appearance> desktop = Optional.empty();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();

    private Appearance now() {
        return model.appearanceProperty().get();
    }

    private final ThemeModel model = new ThemeModel(choice, () -> desktop, executor);

    @Test
    void is_light_when_the_desktop_says_nothing() {
        assertThat(now()).isEqualTo(Appearance.LIGHT);
    }

    @Test
    void follows_the_desktop_when_it_changes_its_mind() {
        desktop = Optional.of(Appearance.DARK);
        model.askDesktop();
        assertThat(now()).isEqualTo(Appearance.DARK);
        desktop = Optional.of(Appearance.LIGHT);
        model.askDesktop();
        assertThat(now()).isEqualTo(Appearance.LIGHT);
    }

    @Test
    void obeys_the_operator_against_the_desktop() {
        desktop = Optional.of(Appearance.DARK);
        choice.set(ThemeChoice.LIGHT);
        model.askDesktop();
        assertThat(now()).isEqualTo(Appearance.LIGHT);
        choice.set(ThemeChoice.DARK);
        assertThat(now()).isEqualTo(Appearance.DARK);
    }

    @Test
    void reads_what_desktops_answer() {
        assertThat(FreedesktopAppearance.ofPortal("(<<uint32 1>>,)\n")).contains(Appearance.DARK);
        assertThat(FreedesktopAppearance.ofPortal("(<<uint32 2>>,)\n")).contains(Appearance.LIGHT);
        assertThat(FreedesktopAppearance.ofPortal("(<<uint32 0>>,)\n")).isEmpty();
        assertThat(FreedesktopAppearance.ofGnome("'prefer-dark'\n")).contains(Appearance.DARK);
        assertThat(FreedesktopAppearance.ofGnome("'default'\n")).contains(Appearance.LIGHT);
        assertThat(FreedesktopAppearance.ofGnome("No such schema")).isEmpty();
        assertThat(FreedesktopAppearance.ofGtkTheme("Adwaita:dark")).contains(Appearance.DARK);
        assertThat(FreedesktopAppearance.ofGtkTheme("Adwaita")).contains(Appearance.LIGHT);
        assertThat(FreedesktopAppearance.ofGtkTheme("")).isEmpty();
    }
}
