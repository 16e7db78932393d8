package dev.lacuna.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class ByteSizePropertyTest {
    @Property
    void what_is_formatted_is_within_one_percent_of_the_truth(
            @ForAll @LongRange(min = 1024, max = 1L << 50) long bytes) {
        String[] parts = ByteSize.format(bytes).split(" ");
        long back = ByteSize.printed(parts[0], SizeUnit.ofWord(parts[1]).orElseThrow())
                .orElseThrow();
        assertThat(Math.abs(back - bytes)).isLessThanOrEqualTo(bytes / 100);
    }

    @Property
    void bytes_on_the_command_line_are_read_back_exactly(@ForAll @LongRange(min = 0) long bytes) {
        assertThat(ByteSize.parse(Long.toString(bytes))).isEqualTo(bytes);
    }
}
