package dev.lacuna.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ByteTextTest {
    @Test
    void writes_bytes_as_the_command_line_does() {
        assertThat(ByteText.of(0)).isEqualTo("0 B");
        assertThat(ByteText.of(20L << 20)).isEqualTo("20.0 MiB");
        assertThat(ByteText.of(2_931_315_179L)).isEqualTo("2.73 GiB");
        assertThat(ByteText.of((1L << 30) - 1)).isEqualTo("1.00 GiB");
    }

    @Test
    void writes_figures_that_stand_beside_each_other_in_one_unit() {
        assertThat(ByteText.gib(40L << 20)).isEqualTo("0.04 GiB");
        assertThat(ByteText.gib(2L << 40)).isEqualTo("2048.00 GiB");
    }

    @Test
    void keeps_every_digit_for_those_who_ask() {
        assertThat(ByteText.exact(2_931_315_179L)).isEqualTo("2,931,315,179 B");
    }

    @Test
    void writes_an_age_in_one_unit() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
        assertThat(AgeText.of(Duration.ofSeconds(-3))).isEqualTo("0 s");
        assertThat(AgeText.of(Duration.ofSeconds(119))).isEqualTo("119 s");
        assertThat(AgeText.of(Duration.ofMinutes(119))).isEqualTo("119 min");
        assertThat(AgeText.of(Duration.ofHours(47))).isEqualTo("47 h");
        assertThat(AgeText.of(Duration.ofDays(3))).isEqualTo("3 days");
    }
}
