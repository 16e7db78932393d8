package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OverlayPictureTest {
    private static final OverlayRaster.Colours COLOURS = new OverlayRaster.Colours(
            0xff000000, 0xff111111, 0xff00ff00, 0xffff0000, 0xff888888, List.of(0xff0000ff, 0xffffff00));

    private static OverlayPicture picture(int stretches, int peakAt) {
        long[] reserved = new long[stretches];
        long[] allocated = new long[stretches];
        for (int i = 0; i < stretches; i++) {
            reserved[i] = i == peakAt ? 100L << 20 : 10L << 20;
            allocated[i] = 5L << 20;
        }
        int[] none = new int[stretches];
        int[] failures = new int[stretches];
        failures[peakAt] = 1;
        Columns columns = new Columns(reserved, reserved);
        return new OverlayPicture(
                stretches * 2L,
                2,
                new Columns(allocated, allocated),
                List.of(new OverlayPicture.Curve("one", 0, columns, failures)),
                none);
    }

    @Test
    void a_peak_of_one_stretch_is_seen_at_any_width() {
        for (int width : new int[] {50, 333, 1000, 3000}) {
            OverlayPicture picture = picture(1000, 617);
            Columns fitted = picture.fitted(picture.curves().get(0).reserved(), width);
            assertThat(fitted.largest(0)).isEqualTo(100L << 20);
            assertThat(fitted.count()).isEqualTo(width);
        }
    }

    @Test
    void the_value_under_the_pointer_is_that_of_its_row() {
        OverlayPicture picture = picture(10, 7);
        assertThat(picture.stretchAt(0)).isZero();
        assertThat(picture.stretchAt(0.75)).isEqualTo(7);
        assertThat(picture.stretchAt(1)).isEqualTo(9);
    }

    @Test
    void draws_the_curve_high_where_it_peaks_and_marks_failures_above() {
        ByteScale scale = new ByteScale();
        scale.fit(100L << 20);
        Pixels out = new Pixels(100, 200, new int[100 * 200]);
        new OverlayRaster(COLOURS, 1).draw(picture(100, 40), -1, scale, out);
        int peakY = (int) scale.y(100L << 20, 200);
        assertThat(out.at(40, peakY + 1) & 0xff).isGreaterThan(128);
        assertThat(out.at(80, peakY + 30)).isEqualTo(0xff000000);
        assertThat(out.at(40, 0)).isEqualTo(0xffff0000);
    }

    @Test
    void labels_stand_at_round_numbers_and_are_few() {
        for (long rows : new long[] {1, 7, 23_952, 1_000_000, 100_000_000}) {
            long step = OverlayChart.roundStep(rows);
            assertThat(rows / step).isLessThanOrEqualTo(8);
            assertThat(Long.toString(step)).matches("[125]0*");
        }
    }
}
