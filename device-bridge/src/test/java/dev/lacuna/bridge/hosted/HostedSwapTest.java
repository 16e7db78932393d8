package dev.lacuna.bridge.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Pointer;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostedSwapTest {
    private static final long MIB = 1 << 20;
    private static final long SEED = 11;

    private HostedAllocator allocator;
    private HostedSwap swap;

    @BeforeEach
    void sixty_four_mebibytes_with_memory_behind_them() throws Exception {
        allocator = HostedAllocator.open(new HostedSettings(64 * MIB, 1.0, true, false, 0, 0, false));
        swap = allocator.swap();
    }

    @AfterEach
    void close() {
        allocator.close();
    }

    @Test
    void what_left_comes_back_with_its_bytes() throws Exception {
        swap.set(SwapMode.ALL, OptionalLong.of(32 * MIB));
        int layer = swap.layer("block.0");
        long block = painted(5 * MIB, 7);
        HostedEntry entry = swap.enter(block, 5 * MIB, 1, 1, layer);
        assertThat(entry.out()).isTrue();
        await(entry, SwapPlace.ON_HOST);
        assertThat(swap.bytes(layer, SwapPlace.ON_HOST)).isEqualTo(5 * MIB);
        assertThat(entry.letGo()).isTrue();
        allocator.free(block);
        painted(20 * MIB, 9);
        long other = allocator.malloc(5 * MIB, 0);
        entry.in(other);
        assertThat(new Pointer(other).getLong(5 * MIB - Long.BYTES)).isEqualTo(7);
        assertThat(entry.place()).isEqualTo(SwapPlace.ON_DEVICE);
        entry.leave();
        assertThat(allocator.counters().swap().swappedOutBytes()).isEqualTo(5 * MIB);
    }

    @Test
    void nothing_leaves_while_it_is_off_or_the_host_is_full() throws Exception {
        swap.set(SwapMode.OFF, OptionalLong.of(4 * MIB));
        HostedEntry entry = swap.enter(painted(5 * MIB, 7), 5 * MIB, 1, 1, swap.layer("block.0"));
        assertThat(entry.out()).isFalse();
        swap.set(SwapMode.ALL, OptionalLong.empty());
        assertThat(swap.mode()).isEqualTo(SwapMode.ALL);
        assertThat(entry.out()).isFalse();
        assertThat(entry.letGo()).isFalse();
        entry.leave();
    }

    @Test
    void a_request_that_would_fail_is_served_where_the_owner_lets_go() throws Exception {
        swap.set(SwapMode.ON, OptionalLong.of(64 * MIB));
        Map<Long, HostedEntry> entries = new HashMap<>();
        Map<Long, Long> blocks = new HashMap<>();
        swap.owner(cookie -> {
            assertThat(entries.get(cookie).letGo()).isTrue();
            allocator.free(blocks.remove(cookie));
        });
        for (long cookie = 1; cookie <= 5; cookie++) {
            blocks.put(cookie, painted(10 * MIB, cookie));
            entries.put(
                    cookie, swap.enter(blocks.get(cookie), 10 * MIB, cookie, cookie, swap.layer("block." + cookie)));
        }
        swap.allow(5);
        allocator.free(allocator.malloc(40 * MIB, 0));
        assertThat(blocks).hasSizeLessThanOrEqualTo(2);
        for (long cookie = 1; cookie <= 5; cookie++) {
            if (!blocks.containsKey(cookie)) {
                blocks.put(cookie, allocator.malloc(10 * MIB, 0));
                entries.get(cookie).in(blocks.get(cookie));
            }
            assertThat(new Pointer(blocks.get(cookie)).getLong(MIB)).isEqualTo(cookie);
        }
    }

    /** The engine's books against those of who uses it: bytes at each place, and what every block holds. */
    @Test
    void random_journeys_keep_the_books_and_the_bytes() throws Exception {
        swap.set(SwapMode.ALL, OptionalLong.of(24 * MIB));
        Random random = new Random(SEED);
        int layer = swap.layer("random");
        List<Traveller> all = new ArrayList<>();
        long refused = 0;
        for (long step = 1; step <= 600; step++) {
            if (all.size() < 8) {
                long bytes = (1 + random.nextInt(12)) * (MIB / 2);
                long block = painted(bytes, step);
                all.add(new Traveller(step, bytes, block, swap.enter(block, bytes, step, step, layer)));
            }
            Traveller one = all.get(random.nextInt(all.size()));
            switch (random.nextInt(4)) {
                case 0, 1 -> refused += one.leaves() ? 0 : 1;
                case 2 -> one.returns();
                default -> {
                    one.returns();
                    one.ends();
                    all.remove(one);
                }
            }
            assertThat(swap.bytes(layer, SwapPlace.ON_HOST))
                    .isEqualTo(all.stream().mapToLong(Traveller::bytesOnHost).sum());
        }
        assertThat(refused).as("the budget was met").isPositive();
        for (Traveller one : all) {
            one.returns();
            one.ends();
        }
        assertThat(allocator.counters().allocatedBytes()).isZero();
        assertThat(allocator.counters().swap().hostUsedBytes()).isZero();
    }

    @Test
    void nothing_is_asked_of_a_closed_allocator() {
        allocator.close();
        assertThatThrownBy(() -> swap.mode()).isInstanceOf(IllegalStateException.class);
    }

    /** A block that goes out and comes back; the first time it is asked to, it may be on its way. */
    private final class Traveller {
        private final long paint;
        private final long bytes;
        private final HostedEntry entry;
        private long block;

        Traveller(long paint, long bytes, long block, HostedEntry entry) {
            this.paint = paint;
            this.bytes = bytes;
            this.block = block;
            this.entry = entry;
        }

        boolean leaves() throws Exception {
            if (block == 0) {
                return true;
            }
            if (!entry.out()) {
                return false;
            }
            await(entry, SwapPlace.ON_HOST);
            assertThat(entry.letGo()).isTrue();
            allocator.free(block);
            block = 0;
            return true;
        }

        void returns() throws Exception {
            if (block == 0) {
                block = allocator.malloc(bytes, 0);
                entry.in(block);
            }
            assertThat(new Pointer(block).getLong(0)).isEqualTo(paint);
            assertThat(new Pointer(block).getLong(bytes - Long.BYTES)).isEqualTo(paint);
        }

        void ends() {
            entry.leave();
            allocator.free(block);
        }

        long bytesOnHost() {
            return block == 0 ? bytes : 0;
        }
    }

    private long painted(long bytes, long paint) throws Exception {
        long block = allocator.malloc(bytes, 0);
        for (long at = 0; at < bytes; at += Long.BYTES) {
            new Pointer(block).setLong(at, paint);
        }
        return block;
    }

    private static void await(HostedEntry entry, SwapPlace place) throws InterruptedException {
        while (entry.place() != place) {
            Thread.sleep(1);
        }
    }
}
