package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FigureUnitTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    @Test
    void calls_a_few_mebibytes_of_a_large_device_by_their_name() {
        FigureUnit unit = FigureUnit.of(64 * GIB);
        assertThat(unit.text(4 * MIB)).isEqualTo("4 MiB");
        assertThat(unit.text(GIB - MIB)).isEqualTo("1023 MiB");
        assertThat(unit.text(GIB)).isEqualTo("1.00 GiB");
        assertThat(unit.text(0)).isEqualTo("0 MiB");
    }

    @Test
    void keeps_to_mebibytes_on_a_small_device() {
        assertThat(FigureUnit.of(GIB).text(GIB)).isEqualTo("1024 MiB");
    }
}
