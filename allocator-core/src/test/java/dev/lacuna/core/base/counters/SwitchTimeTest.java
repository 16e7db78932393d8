package dev.lacuna.core.base.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SwitchTimeTest {
    private static final long MIB = 1L << 20;
    private static final SwitchPrices PRICES = new SwitchPrices(20, 100, 5, 7);

    @Test
    void each_chunk_that_goes_back_has_its_price() {
        assertThat(SwitchTime.of(5 * MIB, PRICES, true)).hasValue(new SwitchTime(60, 300, OptionalLong.of(5)));
        assertThat(SwitchTime.of(0, PRICES, false)).hasValue(new SwitchTime(0, 0, OptionalLong.of(5)));
    }

    @Test
    void the_whole_is_the_sum_of_its_parts() {
        SwitchTime time = SwitchTime.of(5 * MIB, PRICES, true).orElseThrow();
        assertThat(time.leastNs()).isEqualTo(time.releaseLeastNs());
        assertThat(time.mostNs())
                .hasValue(time.releaseMostNs() + time.finishMostNs().getAsLong());
    }

    @Test
    void nothing_is_made_up_where_a_part_was_never_measured() {
        assertThat(SwitchTime.of(5 * MIB, SwitchPrices.UNKNOWN, false)).isEmpty();
        SwitchPrices neverWaited = new SwitchPrices(20, 100, 0, 7);
        SwitchTime onStreams = SwitchTime.of(5 * MIB, neverWaited, true).orElseThrow();
        assertThat(onStreams).isEqualTo(new SwitchTime(60, 300, OptionalLong.empty()));
        assertThat(onStreams.mostNs()).isEmpty();
        assertThat(SwitchTime.of(5 * MIB, neverWaited, false).orElseThrow().mostNs())
                .hasValue(300);
        assertThat(SwitchTime.compactionNs(5 * MIB, SwitchPrices.UNKNOWN)).isEmpty();
    }

    @Test
    void nothing_to_give_back_takes_nothing() {
        assertThat(SwitchTime.of(0, SwitchPrices.UNKNOWN, false)).hasValue(new SwitchTime(0, 0, OptionalLong.of(0)));
    }

    @Test
    void compacting_is_priced_by_the_mebibyte_begun() {
        assertThat(SwitchTime.compactionNs(5 * MIB + 1, PRICES)).hasValue(42);
    }

    @Test
    void milliseconds_have_a_digit_behind_the_point_where_it_tells_something() {
        assertThat(SwitchTime.milliseconds(340_000)).isEqualTo("0.3");
        assertThat(SwitchTime.milliseconds(9_949_000)).isEqualTo("9.9");
        assertThat(SwitchTime.milliseconds(9_950_000)).isEqualTo("10");
        assertThat(SwitchTime.milliseconds(123_456_000)).isEqualTo("123");
    }

    @Test
    void a_range_whose_ends_read_the_same_is_one_number() {
        SwitchTime narrow = new SwitchTime(9_960_000, 10_200_000, OptionalLong.of(0));
        assertThat(narrow.milliseconds((least, most) -> least + " to " + most)).isEqualTo("10");
        SwitchTime wide = new SwitchTime(9_960_000, 10_200_000, OptionalLong.of(2_000_000));
        assertThat(wide.milliseconds((least, most) -> least + " to " + most)).isEqualTo("10 to 12");
    }
}
