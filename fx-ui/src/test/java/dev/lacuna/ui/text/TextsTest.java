package dev.lacuna.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import javafx.beans.binding.StringBinding;
import javafx.beans.property.SimpleStringProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TextsTest {
    private final Texts texts = Texts.of("units");

    @BeforeEach
    @AfterEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void changes_the_language_of_a_bound_text_while_it_is_shown() {
        SimpleStringProperty number = new SimpleStringProperty("3");
        StringBinding text = texts.bind("age.minutes", number);
        assertThat(text.get()).isEqualTo("3 min");
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(text.get()).isEqualTo("3 分钟");
        number.set("4");
        assertThat(text.get()).isEqualTo("4 分钟");
    }

    @Test
    void shows_the_name_of_a_text_that_nobody_wrote() {
        assertThat(texts.get("no.such")).isEqualTo("‹units.no.such›");
    }
}
