package dev.lacuna.core.history.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.attribution.Histories;
import dev.lacuna.core.history.model.DeviceHistory;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two moments of one recording, and two recordings. */
class ComparisonTest {
    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void parts_the_blocks_of_two_moments_by_who_lives_when(long seed) throws IOException {
        DeviceHistory history = Histories.random(seed, 500).history();
        Comparison comparison = Comparison.of(new Side("a", history, 120), new Side("b", history, 410));
        BlockMatch blocks = comparison.blocks();
        assertThat(blocks.onlyA()).isEqualTo(live(history, 120, 410));
        assertThat(blocks.onlyB()).isEqualTo(live(history, 410, 120));
        assertThat(blocks.heldOnlyA().bytes() + blocks.heldBoth().bytes()).isEqualTo(HeldByTrainer.bytes(history, 120));
        assertThat(comparison.stacks().stream().mapToLong(Difference::bytes).sum())
                .isEqualTo(HeldByTrainer.bytes(history, 410) - HeldByTrainer.bytes(history, 120));
        assertThat(comparison.sizes().stream().mapToLong(Difference::count).sum())
                .isEqualTo(blocks.heldOnlyB().count() - blocks.heldOnlyA().count());
        assertThat(comparison.reserved().bytes()).isZero();
    }

    @Test
    void matches_blocks_of_two_recordings_by_stack_and_size() throws IOException {
        DeviceHistory one = new Histories()
                .alloc(0, 1024, "a")
                .alloc(4096, 1024, "a")
                .alloc(8192, 512, "b")
                .history();
        DeviceHistory other = new Histories()
                .alloc(0, 512, "b")
                .alloc(4096, 1024, "a")
                .alloc(8192, 512, "b")
                .history();
        Comparison comparison = Comparison.of(Side.atEnd("one", one), Side.atEnd("other", other));
        assertThat(comparison.blocks().heldBoth()).isEqualTo(new Held(1536, 2));
        assertThat(comparison.blocks().heldOnlyA()).isEqualTo(new Held(1024, 1));
        assertThat(comparison.blocks().heldOnlyB()).isEqualTo(new Held(512, 1));
        assertThat(comparison.segments()).singleElement().satisfies(d -> {
            assertThat(d.key().address()).isEmpty();
            assertThat(d.bytes()).isZero();
        });
        Comparison back = comparison.swapped();
        assertThat(back.blocks().heldOnlyA()).isEqualTo(comparison.blocks().heldOnlyB());
        assertThat(back.allocated().bytes()).isEqualTo(-comparison.allocated().bytes());
    }

    private static int[] live(DeviceHistory history, int here, int notThere) {
        return IntStream.range(0, history.allocations())
                .filter(a -> HeldByTrainer.isLive(history, a, here) && !HeldByTrainer.isLive(history, a, notThere))
                .toArray();
    }

    @Test
    void is_the_same_at_the_same_moment() throws IOException {
        DeviceHistory history = Histories.random(23, 200).history();
        Comparison comparison = Comparison.of(new Side("a", history, 77), new Side("b", history, 77));
        assertThat(comparison.blocks().onlyA()).isEmpty();
        assertThat(comparison.blocks().onlyB()).isEmpty();
        assertThat(comparison.stacks()).allSatisfy(d -> assertThat(d.bytes()).isZero());
        assertThat(Arrays.stream(comparison.blocks().both()).allMatch(a -> HeldByTrainer.isLive(history, a, 77)))
                .isTrue();
    }
}
