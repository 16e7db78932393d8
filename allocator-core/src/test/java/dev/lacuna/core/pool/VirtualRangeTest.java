package dev.lacuna.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class VirtualRangeTest {
    private static final int SLOTS = 300;

    @Property(tries = 100)
    void counts_like_a_plain_bit_set(@ForAll long seed) {
        Random random = new Random(seed);
        VirtualRange range = new VirtualRange(SLOTS * Device.SLOT_BYTES);
        BitSet expected = new BitSet();
        for (int i = 0; i < 200; i++) {
            int slot = random.nextInt(SLOTS);
            if (range.isMapped(slot)) {
                range.unmap(slot);
            } else {
                range.map(slot);
            }
            expected.flip(slot);
            int from = random.nextInt(SLOTS);
            int to = from + random.nextInt(SLOTS - from + 1);
            assertThat(range.unmappedIn(from, to))
                    .isEqualTo(to - from - expected.get(from, to).cardinality());
            assertThat(range.mappedSlots()).isEqualTo(expected.cardinality());
            assertThat(range.runs()).isEqualTo(runs(expected));
            int length = 1 + random.nextInt(20);
            assertThat(range.lowestUnmappedRun(length)).isEqualTo(lowestClearRun(expected, length));
        }
    }

    private static int runs(BitSet bits) {
        int runs = 0;
        for (int at = bits.nextSetBit(0); at >= 0; at = bits.nextSetBit(bits.nextClearBit(at))) {
            runs++;
        }
        return runs;
    }

    private static int lowestClearRun(BitSet bits, int length) {
        for (int at = 0; at + length <= SLOTS; at++) {
            if (bits.get(at, at + length).isEmpty()) {
                return at;
            }
        }
        return -1;
    }
}
