package dev.lacuna.ui.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PaletteModelTest {
    private final PaletteModel model = new PaletteModel(List.of(
            entry("Window", "Switch between light and dark"),
            entry("Live", "Hold everything at this instant"),
            entry("Live", "Switch the optimisation"),
            entry("Snapshot", "Zoom to the selection")));

    private static PaletteModel.Entry entry(String group, String words) {
        return new PaletteModel.Entry(group, words, "", () -> {});
    }

    private List<String> found(String query) {
        model.queryProperty().set(query);
        return model.found().stream().map(PaletteModel.Entry::words).toList();
    }

    @Test
    void offers_everything_at_first() {
        assertThat(model.found()).hasSize(4);
    }

    @Test
    void finds_what_has_all_words_in_any_order_whatever_their_case() {
        assertThat(found("dark SWITCH")).containsExactly("Switch between light and dark");
        assertThat(found("live switch")).containsExactly("Switch the optimisation");
        assertThat(found("no such thing")).isEmpty();
    }

    @Test
    void puts_what_begins_with_the_words_first() {
        assertThat(found("zoom").get(0)).isEqualTo("Zoom to the selection");
        assertThat(found("switch")).containsExactly("Switch between light and dark", "Switch the optimisation");
    }
}
