package dev.lacuna.core.allocator.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeNumbersTest {
    @Test
    void counts_sizes_in_the_order_in_which_they_are_met() {
        SizeNumbers numbers = new SizeNumbers();
        assertThat(numbers.of(0)).isZero();
        assertThat(numbers.of(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(numbers.of(512)).isEqualTo(2);
        assertThat(numbers.of(0)).isZero();
    }

    @Test
    void keeps_the_numbers_of_thousands_of_sizes() {
        SizeNumbers numbers = new SizeNumbers();
        for (int i = 0; i < 5000; i++) {
            assertThat(numbers.of(i * 512L)).isEqualTo(i);
        }
        for (int i = 4999; i >= 0; i--) {
            assertThat(numbers.of(i * 512L)).isEqualTo(i);
        }
    }
}
