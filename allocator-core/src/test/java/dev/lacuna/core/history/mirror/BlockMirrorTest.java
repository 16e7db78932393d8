package dev.lacuna.core.history.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class BlockMirrorTest {
    private static final long MIB = 1L << 20;
    private static final long BASE = 1L << 40;

    private final BlockMirror mirror = new BlockMirror(0);

    @Test
    void shows_blocks_and_holes_of_a_process_that_was_watched_from_the_start() {
        new MirrorEvents(0)
                .grow(BASE, 20 * MIB)
                .alloc(BASE, 3 * MIB)
                .alloc(BASE + 3 * MIB, 5 * MIB - 100)
                .free(BASE, 3 * MIB)
                .into(mirror);
        assertThat(pieces()).containsExactly("hole 3.00", "block 5.00", "hole 12.00");
        assertThat(mirror.picture().coverage().partial()).isFalse();
        assertThat(mirror.picture().coverage().knownBytes()).isEqualTo(5 * MIB);
    }

    @Test
    void keeps_stock_segments_apart_and_joins_runs_of_chunks() {
        MirrorEvents events = new MirrorEvents(0).grow(BASE, 20 * MIB).grow(BASE + 20 * MIB, 20 * MIB);
        long other = BASE << 1;
        events.event(EventKind.GROW, PoolName.SHORT_LARGE, other, 2 * MIB)
                .event(EventKind.GROW, PoolName.LONG_LARGE, other + 4 * MIB, 2 * MIB)
                .event(EventKind.REMAP, PoolName.SHORT_LARGE, other + 2 * MIB, 2 * MIB);
        events.into(mirror);
        assertThat(mirror.picture().segments())
                .extracting(LiveBlocks.Segment::bytes)
                .containsExactly(20 * MIB, 20 * MIB, 6 * MIB);
    }

    @Test
    void calls_unseen_what_was_there_before_it_began_to_read() {
        new MirrorEvents(70_000).alloc(BASE + MIB, MIB / 2).into(mirror);
        assertThat(pieces()).containsExactly("unseen 1.00", "block 0.50", "unseen 0.50");
        new MirrorEvents(70_001).free(BASE, MIB / 4).into(mirror);
        assertThat(pieces()).containsExactly("hole 0.25", "unseen 0.75", "block 0.50", "unseen 0.50");
        assertThat(mirror.picture().coverage().partial()).isTrue();
    }

    @Test
    void shows_what_was_there_before_as_soon_as_it_is_told() {
        MirrorEvents events = new MirrorEvents(70_000).alloc(BASE + MIB, MIB / 2);
        events.into(mirror);
        tell(events).into(mirror);
        assertThat(pieces()).containsExactly("block 1.00", "block 0.50", "hole 2.50");
        LiveBlocks told = mirror.picture();
        assertThat(told.coverage().partial()).isFalse();
        assertThat(told.coverage().knownBytes()).isEqualTo(MIB + MIB / 2);
        assertThat(told.pieces().isFromBefore(0)).isTrue();
        tell(events).into(mirror);
        assertThat(pieces()).containsExactly("block 1.00", "block 0.50", "hole 2.50");
        assertThat(mirror.picture().coverage().knownBytes()).isEqualTo(MIB + MIB / 2);
    }

    @Test
    void is_whole_again_when_it_is_told_after_a_loss() {
        MirrorEvents events = new MirrorEvents(0).grow(BASE, 4 * MIB).alloc(BASE, MIB);
        events.into(mirror);
        events.alloc(BASE + MIB, MIB / 2).lose().into(mirror);
        tell(events).into(mirror);
        assertThat(pieces()).containsExactly("block 1.00", "block 0.50", "hole 2.50");
        assertThat(mirror.picture().coverage().partial()).isFalse();
        assertThat(mirror.picture().coverage().restarts()).isEqualTo(1);
    }

    private static MirrorEvents tell(MirrorEvents events) {
        return events.event(EventKind.MAPPED, PoolName.STOCK_LARGE, BASE, 4 * MIB)
                .event(EventKind.HELD, PoolName.STOCK_LARGE, BASE, MIB)
                .event(EventKind.HELD, PoolName.STOCK_LARGE, BASE + MIB, MIB / 2);
    }

    @Test
    void begins_anew_when_events_are_lost_and_says_so() {
        MirrorEvents events = new MirrorEvents(0).grow(BASE, 4 * MIB).alloc(BASE, MIB);
        events.into(mirror);
        events.free(BASE, MIB).lose().alloc(BASE + 2 * MIB, MIB).into(mirror);
        assertThat(pieces()).containsExactly("block 1.00", "unseen 1.00");
        LiveBlocks.Coverage coverage = mirror.picture().coverage();
        assertThat(coverage.partial()).isTrue();
        assertThat(coverage.restarts()).isEqualTo(1);
        assertThat(coverage.lostEvents()).isEqualTo(1);
    }

    @Test
    void forgets_what_was_given_back_to_the_device() {
        new MirrorEvents(0)
                .event(EventKind.GROW, PoolName.SHORT_LARGE, BASE, 6 * MIB)
                .event(EventKind.RELEASE, PoolName.SHORT_LARGE, BASE + 2 * MIB, 2 * MIB)
                .into(mirror);
        assertThat(mirror.picture().segments())
                .extracting(LiveBlocks.Segment::address)
                .containsExactly(BASE, BASE + 4 * MIB);
        assertThat(pieces()).containsExactly("hole 2.00", "hole 2.00");
    }

    @Test
    void lets_a_new_block_win_over_one_whose_end_it_missed() {
        new MirrorEvents(0)
                .grow(BASE, 2 * MIB)
                .alloc(BASE, MIB)
                .alloc(BASE + MIB / 2, MIB)
                .into(mirror);
        assertThat(pieces()).containsExactly("hole 0.50", "block 1.00", "hole 0.50");
        assertThat(mirror.picture().coverage().blocks()).isEqualTo(1);
    }

    @Test
    void stays_within_its_bound() {
        MirrorEvents events = new MirrorEvents(0).grow(BASE, 1024 * MIB);
        for (long i = 0; i <= BlockMirror.MOST_BLOCKS; i++) {
            events.alloc(BASE + i * 512, 512);
        }
        events.into(mirror);
        assertThat(mirror.picture().coverage().blocks()).isEqualTo(1);
        assertThat(mirror.picture().coverage().restarts()).isEqualTo(1);
        assertThat(mirror.picture().coverage().partial()).isTrue();
    }

    private List<String> pieces() {
        LiveBlocks picture = mirror.picture();
        List<String> out = new ArrayList<>();
        long at = 0;
        for (LiveBlocks.Segment segment : picture.segments()) {
            at = segment.address();
            for (int i = segment.firstPiece(); i < segment.endPiece(); i++) {
                assertThat(picture.pieces().address(i)).isEqualTo(at);
                at += picture.pieces().bytes(i);
                String kind = picture.pieces().kind(i).name().toLowerCase(Locale.ROOT);
                out.add(String.format(
                        Locale.ROOT, "%s %.2f", kind, picture.pieces().bytes(i) / (double) MIB));
            }
            assertThat(at).isEqualTo(segment.address() + segment.bytes());
        }
        return out;
    }
}
