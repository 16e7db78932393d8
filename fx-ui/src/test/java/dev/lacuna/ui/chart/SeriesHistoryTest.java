package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesHistoryTest {
    private static final long MS = 1_000_000;

    private final SeriesHistory history = new SeriesHistory(1, 100_000);

    private void append(long ms, long value, long min, long max) {
        history.append(ms * MS, new long[] {value}, new long[] {min}, new long[] {max});
    }

    @Test
    void keeps_a_peak_of_one_sample_when_everything_is_zoomed_out() {
        for (int i = 1; i <= 54_000; i++) {
            long peak = i == 31_337 ? 9_000 : 100;
            append(i * 33L, 100, 100, peak);
        }
        TimeRange all = new TimeRange(0, 54_000 * 33L * MS);
        for (int columns : new int[] {1, 7, 300, 1200}) {
            assertThat(history.columns(all, columns)[0].largest(0))
                    .as(columns + " columns")
                    .isEqualTo(9_000);
        }
    }

    @Test
    void lets_a_sample_speak_for_the_time_since_the_one_before() {
        append(100, 1, 1, 1);
        append(200, 2, 2, 8);
        Columns columns = history.columns(new TimeRange(0, 400 * MS), 8)[0];
        assertThat(columns.present(0)).isFalse();
        assertThat(columns.present(1)).isFalse();
        assertThat(columns.max(2)).isEqualTo(8);
        assertThat(columns.max(3)).isEqualTo(8);
        assertThat(columns.max(4)).as("the sample's own moment").isEqualTo(8);
        assertThat(columns.present(5)).isFalse();
    }

    @Test
    void leaves_no_hole_between_samples_however_far_one_zooms_in() {
        for (int i = 1; i <= 50; i++) {
            append(i * 100L, i, i, i);
        }
        Columns columns = history.columns(new TimeRange(1_050 * MS, 1_450 * MS), 1000)[0];
        for (int c = 0; c < 1000; c++) {
            assertThat(columns.present(c)).as("column " + c).isTrue();
        }
    }

    @Test
    void lets_the_oldest_samples_go_and_stays_right() {
        int kept = 102_400;
        for (int i = 1; i <= kept + 5_000; i++) {
            append(i, i, i, i);
        }
        assertThat(history.size()).isEqualTo(kept);
        assertThat(history.firstNs()).isEqualTo(5_001 * MS);
        Columns columns = history.columns(new TimeRange(0, (kept + 5_001) * MS), 10)[0];
        assertThat(columns.largest(0)).isEqualTo(kept + 5_000);
        assertThat(columns.min(0)).isEqualTo(5_001);
    }

    @Test
    void leaves_out_samples_that_go_back_in_time() {
        append(100, 1, 1, 1);
        assertThat(history.append(100 * MS, new long[] {2}, new long[] {2}, new long[] {2}))
                .isFalse();
        assertThat(history.size()).isEqualTo(1);
    }

    @Test
    void finds_the_sample_at_or_after_a_moment() {
        append(100, 1, 1, 1);
        append(200, 2, 2, 2);
        assertThat(history.indexAtOrAfter(0)).isZero();
        assertThat(history.indexAtOrAfter(100 * MS)).isZero();
        assertThat(history.indexAtOrAfter(101 * MS)).isEqualTo(1);
        assertThat(history.indexAtOrAfter(201 * MS)).isEqualTo(history.endIndex());
    }
}
