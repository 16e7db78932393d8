package dev.lacuna.core.base.counters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GapPartsTest {
    @Test
    void what_looks_free_is_split_when_it_is_less_than_the_gap() {
        assertThat(GapParts.within(100, 60, 10)).isEqualTo(new GapParts(60, 30, 10));
    }

    @Test
    void no_more_is_releasable_than_the_gap_leaves() {
        assertThat(GapParts.within(100, 120, 10)).isEqualTo(new GapParts(90, 0, 10));
    }

    @Test
    void the_parts_sum_to_the_gap_also_where_less_is_reserved_than_held() {
        assertThat(GapParts.within(-5, 20, 3)).isEqualTo(new GapParts(0, -8, 3));
        assertThat(GapParts.within(-5, 20, 3).totalBytes()).isEqualTo(-5);
    }
}
