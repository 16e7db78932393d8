package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.model.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedRangeTest {
    private static final long RANGE_BYTES = 256 * MIB;

    private final BlockTable blocks = new BlockTable();
    private final SharedRange range = new SharedRange(SegregatedPools.SHORT_LARGE.number(), blocks, RANGE_BYTES);
    private final Position position = new Position();
    private final PositionSearch search = new PositionSearch(blocks, range, position);

    @Test
    void a_block_maps_the_slots_that_it_touches() {
        take(3 * MIB);
        assertThat(range.mappedSlots()).isEqualTo(2);
        assertThat(range.idleSlots()).isZero();
        assertThat(range.runs()).isEqualTo(1);
    }

    @Test
    void what_is_unmapped_between_blocks_parts_a_run() {
        take(4 * MIB);
        int middle = take(4 * MIB);
        take(4 * MIB);
        int piece = range.release(middle);
        assertThat(range.idleSlots()).isEqualTo(2);
        range.unmap(piece, 2, 4);
        assertThat(range.mappedSlots()).isEqualTo(4);
        assertThat(range.idleSlots()).isZero();
        assertThat(range.runs()).isEqualTo(2);
    }

    @Test
    void the_books_agree_with_a_recount_whatever_happens() {
        Random random = new Random(11);
        List<Integer> live = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            if (random.nextInt(100) < 52) {
                int b = take(512L * (1 + random.nextInt(8000)));
                if (b != BlockTable.NONE) {
                    live.add(b);
                }
            } else if (!live.isEmpty()) {
                int piece = range.release(live.remove(random.nextInt(live.size())));
                int whole = range.whole(piece);
                if (whole > 0 && random.nextBoolean()) {
                    int first = Slots.from(blocks.offset(piece)) + random.nextInt(whole);
                    range.unmap(piece, first, first + 1);
                }
            }
            recount();
        }
    }

    private int take(long size) {
        search.fit(size, false, false);
        if (!position.found()) {
            search.grow(size);
        }
        if (!position.found()) {
            return BlockTable.NONE;
        }
        int block = range.occupy(position, size);
        blocks.handOut(block, size, 0);
        return block;
    }

    private void recount() {
        int idle = 0;
        int unmapped = 0;
        int runs = 0;
        int b = range.top();
        long end = RANGE_BYTES;
        for (; b != BlockTable.NONE; b = blocks.lower(b)) {
            assertThat(blocks.end(b)).isEqualTo(end);
            end = blocks.offset(b);
            int lower = blocks.lower(b);
            if (blocks.isUnmapped(b)) {
                unmapped += range.whole(b);
                assertThat(lower != BlockTable.NONE && blocks.isUnmapped(lower)).isFalse();
            } else {
                idle += blocks.isFree(b) ? range.whole(b) : 0;
                runs += lower == BlockTable.NONE || blocks.isUnmapped(lower) ? 1 : 0;
            }
        }
        assertThat(end).isZero();
        assertThat(range.idleSlots()).isEqualTo(idle);
        assertThat(range.mappedSlots()).isEqualTo((int) (RANGE_BYTES / Device.SLOT_BYTES) - unmapped);
        assertThat(range.runs()).isEqualTo(runs);
    }
}
