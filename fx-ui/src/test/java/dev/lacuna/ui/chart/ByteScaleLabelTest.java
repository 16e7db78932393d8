package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ByteScaleLabelTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private static List<String> labels(long highest) {
        ByteScale scale = new ByteScale();
        scale.reach(highest);
        return LongStream.rangeClosed(0, scale.top() / scale.step())
                .mapToObj(i -> scale.label(i * scale.step()))
                .toList();
    }

    @Test
    void writes_all_labels_of_an_axis_in_one_unit() {
        assertThat(labels(3 * GIB / 2))
                .containsExactly("0", "0.25 GiB", "0.50 GiB", "0.75 GiB", "1.00 GiB", "1.25 GiB", "1.50 GiB");
        assertThat(labels(3 * GIB))
                .containsExactly("0", "0.5 GiB", "1.0 GiB", "1.5 GiB", "2.0 GiB", "2.5 GiB", "3.0 GiB");
        assertThat(labels(8 * GIB)).containsExactly("0", "2 GiB", "4 GiB", "6 GiB", "8 GiB");
        assertThat(labels(600 * MIB)).containsExactly("0", "128 MiB", "256 MiB", "384 MiB", "512 MiB", "640 MiB");
    }

    @Test
    void has_round_decimal_lines_where_figures_are_decimal() {
        Texts.unitProperty().unbind();
        Texts.unitProperty().set(ByteUnit.GB);
        try {
            assertThat(labels(8_200_000_000L)).containsExactly("0", "2 GB", "4 GB", "6 GB", "8 GB", "10 GB");
            assertThat(labels(900_000_000L)).containsExactly("0", "0.2 GB", "0.4 GB", "0.6 GB", "0.8 GB", "1.0 GB");
            Texts.unitProperty().set(ByteUnit.MB);
            assertThat(labels(2_500_000_000L))
                    .containsExactly("0", "500 MB", "1,000 MB", "1,500 MB", "2,000 MB", "2,500 MB");
        } finally {
            Texts.unitProperty().set(ByteUnit.FITTING);
        }
    }

    @Test
    void begins_anew_where_figures_become_decimal() {
        Texts.unitProperty().unbind();
        ByteScale scale = new ByteScale();
        scale.reach(3 * GIB);
        Texts.unitProperty().set(ByteUnit.GB);
        try {
            assertThat(scale.reach(3 * GIB)).isTrue();
            assertThat(scale.label(scale.top())).isEqualTo("4 GB");
        } finally {
            Texts.unitProperty().set(ByteUnit.FITTING);
        }
    }
}
