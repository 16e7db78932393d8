package dev.lacuna.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "512, 512",
        "512B, 512",
        "20MiB, 20971520",
        "64GiB, 68719476736",
        "1.5GiB, 1610612736",
        "3.9GiB, 4187593113",
        "0.3KiB, 307",
        "64gib, 68719476736",
        "8589934592GiB, -1",
        "9223372036854775807, 9223372036854775807"
    })
    void reads_command_line_sizes_to_the_byte(String text, long bytes) {
        if (bytes < 0) {
            assertThatThrownBy(() -> ByteSize.parse(text)).hasMessageContaining("below 2^63");
        } else {
            assertThat(ByteSize.parse(text)).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GiB", "-1", "64GB", "1e9", "20 MiB", "0x10", "0.3B", "1..2MiB", "٣MiB"})
    void refuses_what_is_no_binary_size(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reads_printed_sizes_rounded_to_the_nearest_byte() {
        assertThat(ByteSize.printed("3384.00", SizeUnit.MIB)).hasValue(3_548_381_184L);
        assertThat(ByteSize.printed("53.87", SizeUnit.GIB)).hasValue(57_842_472_059L);
        assertThat(ByteSize.printed("0", SizeUnit.BYTE)).hasValue(0);
    }

    @Test
    void says_that_the_drivers_not_available_is_no_size() {
        assertThat(ByteSize.printed("17179869184.00", SizeUnit.GIB)).isEmpty();
        assertThat(ByteSize.printed("9".repeat(300), SizeUnit.GIB)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1.00 KiB",
        "1536, 1.50 KiB",
        "19294003, 18.4 MiB",
        "192937984, 184 MiB",
        "2931315179, 2.73 GiB",
        "60773787238, 56.60 GiB",
        "1073741823, 1.00 GiB",
        "1072693248, 1023 MiB",
        "1649267441664, 1.50 TiB"
    })
    void formats_for_people(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
    }

    @Test
    void formats_differences_with_a_minus_sign() {
        assertThat(ByteSize.format(-192937984)).isEqualTo("\u2212184 MiB");
        assertThat(ByteSize.format(Long.MIN_VALUE)).startsWith("\u2212").endsWith(" TiB");
    }

    @Test
    void gives_every_byte() {
        assertThat(ByteSize.exact(2_931_315_179L)).isEqualTo("2,931,315,179 B");
    }
}
