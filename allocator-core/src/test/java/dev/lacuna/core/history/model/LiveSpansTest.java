package dev.lacuna.core.history.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveSpansTest {
    private record Named(String name, long bytes) implements LiveSpans.Block {}

    private final LiveSpans<Named> live = new LiveSpans<>();

    private void born(long address, String name, long bytes) {
        live.end(address, address + bytes);
        live.born(address, new Named(name, bytes));
    }

    private List<String> between(long from, long to) {
        List<String> names = new ArrayList<>();
        live.forEach(from, to, (address, block) -> names.add(block.name() + "@" + address));
        return names;
    }

    @Test
    void what_begins_in_another_block_shows_that_it_ended() {
        born(0, "a", 100);
        born(100, "b", 100);
        assertThat(live.end(50, 120)).extracting(Named::name).containsExactly("a", "b");
        assertThat(live.size()).isZero();
        assertThat(live.bytes()).isZero();
    }

    @Test
    void neighbours_do_not_touch() {
        born(0, "a", 100);
        born(100, "b", 100);
        born(200, "c", 100);
        assertThat(live.freed(100)).hasValue(new Named("b", 100));
        assertThat(live.freed(100)).isEmpty();
        born(100, "d", 100);
        assertThat(between(0, 300)).containsExactly("a@0", "d@100", "c@200");
        assertThat(between(100, 200)).containsExactly("d@100");
        assertThat(live.bytes()).isEqualTo(300);
    }

    @Test
    void a_copy_learns_nothing_more() {
        born(0, "a", 100);
        LiveSpans<Named> then = new LiveSpans<>(live);
        live.clear();
        assertThat(then.bytes()).isEqualTo(100);
        assertThat(live.all()).isEmpty();
    }

    @Test
    void addresses_are_unsigned() {
        born(Long.MAX_VALUE - 49, "low", 100);
        born(Long.MIN_VALUE + 200, "high", 100);
        assertThat(live.end(Long.MAX_VALUE, Long.MIN_VALUE + 300))
                .extracting(Named::name)
                .containsExactly("low", "high");
    }
}
