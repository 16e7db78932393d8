package dev.lacuna.core.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundupDivisionsTest {

    @ParameterizedTest
    @CsvSource({
        // 1 MiB in quarters: 1.25, 1.5, 1.75, 2.
        "1048576, 4, 1048576",
        "1048577, 4, 1310720",
        "1310720, 4, 1310720",
        "1310721, 4, 1572864",
        "1835009, 4, 2097152",
        // 20.1 MiB lies between 16 and 32: steps of 2 MiB with 8 divisions.
        "21076378, 8, 23068672",
        // 3000 > 4 × 512: steps of 512 between 2048 and 4096.
        "3000, 4, 3072",
        // Not above 4 units: whole units.
        "2048, 4, 2048",
        "1200, 4, 1536",
        "1, 4, 512",
        // 0 and 1 divide nothing.
        "1048577, 1, 1049088",
        "1048577, 0, 1049088",
    })
    void rounds_up_to_the_next_step(long bytes, long divisions, long rounded) {
        assertThat(RoundupDivisions.everywhere(divisions).rounded(bytes)).isEqualTo(rounded);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 100",
        "1048575, 100",
        "1048576, 100",
        "2097151, 100",
        "2097152, 101",
        "33554432, 105",
        "34359738368, 115",
        "68719476736, 115",
        "1152921504606846976, 115"
    })
    void each_power_of_two_from_1_mib_has_its_own_and_the_last_rules_all_above(long bytes, int interval) {
        long[] marked = new long[RoundupDivisions.INTERVALS];
        for (int i = 0; i < marked.length; i++) {
            marked[i] = 1L << i;
        }
        assertThat(RoundupDivisions.of(marked).of(bytes)).isEqualTo(1L << (interval - 100));
    }

    @Property
    void rounding_wastes_less_than_one_step_and_keeps_whole_units(
            @ForAll @LongRange(min = 1, max = 1L << 60) long bytes, @ForAll @IntRange(max = 10) int exponent) {
        long divisions = 1L << exponent;
        long rounded = RoundupDivisions.everywhere(divisions).rounded(bytes);
        assertThat(rounded).isGreaterThanOrEqualTo(bytes);
        assertThat(rounded % 512).isZero();
        assertThat(rounded - bytes).isLessThan(Math.max(512, Long.highestOneBit(bytes) / divisions));
    }

    @Test
    void divisions_are_powers_of_two_for_16_intervals() {
        assertThatThrownBy(() -> RoundupDivisions.everywhere(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RoundupDivisions.everywhere(-4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RoundupDivisions.of(4, 4)).isInstanceOf(IllegalArgumentException.class);
    }
}
