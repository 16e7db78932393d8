package dev.lacuna.app.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.Misspelling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NearMissesTest {
    private static final List<String> COMMANDS = List.of("diagnose", "demo", "ps", "watch", "plan", "replay");

    @Test
    void finds_what_differs_by_few_letters_the_nearest_first() {
        assertThat(NearMisses.of("diagnoes", COMMANDS)).containsExactly("diagnose");
        assertThat(NearMisses.of("plans", COMMANDS)).startsWith("plan");
        assertThat(NearMisses.of("DEMO", COMMANDS)).startsWith("demo");
        assertThat(NearMisses.of("frobnicate", COMMANDS)).isEmpty();
    }

    @Test
    void counts_letters_to_insert_delete_or_replace() {
        assertThat(Misspelling.distance("", "abc")).isEqualTo(3);
        assertThat(Misspelling.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Misspelling.distance("same", "same")).isZero();
    }

    @Test
    void a_model_that_is_not_known_is_answered_with_what_was_meant_and_all_that_are(@TempDir Path folder)
            throws IOException {
        assertThatThrownBy(() -> ModelNames.require("lama2-7b"))
                .hasMessageContaining("llama2-7b")
                .hasMessageContaining("llama3.1-405b");
        ModelNames.require(Files.writeString(folder.resolve("x"), "").toString());
        ModelNames.require("there/is/none.sh");
        ModelNames.require("-");
    }
}
