package dev.lacuna.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChangeTextTest {
    @Test
    void writes_the_same_minus_as_bytes_do() {
        String minus = ByteText.of(-1).substring(0, 1);
        assertThat(ChangeText.ofCount(-39)).isEqualTo(minus + "39");
        assertThat(ChangeText.ofShare(-0.0042)).isEqualTo(minus + "0.4 %");
    }

    @Test
    void gives_growth_its_sign_and_nothing_none() {
        assertThat(ChangeText.ofCount(1204)).isEqualTo("+1,204");
        assertThat(ChangeText.ofCount(0)).isEqualTo("0");
        assertThat(ChangeText.ofShare(0.031)).isEqualTo("+3.1 %");
    }
}
