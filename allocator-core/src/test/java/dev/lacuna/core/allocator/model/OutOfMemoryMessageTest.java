package dev.lacuna.core.allocator.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutOfMemoryMessageTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "1024, 1024 bytes",
        "1025, 1.00 KiB",
        "1048576, 1024.00 KiB",
        "2097152, 2.00 MiB",
        "1073741824, 1024.00 MiB",
        "1073741825, 1.00 GiB",
        "3548381184, 3.30 GiB",
        "65733763072, 61.22 GiB",
    })
    void sizes_change_their_unit_above_1024(long bytes, String text) {
        assertThat(OutOfMemoryMessage.size(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1029, 1.00 KiB", "1030, 1.01 KiB", "1152, 1.12 KiB", "1408, 1.38 KiB"})
    void the_second_decimal_is_rounded_and_a_tie_goes_to_the_even_digit(long bytes, String text) {
        assertThat(OutOfMemoryMessage.size(bytes)).isEqualTo(text);
    }
}
