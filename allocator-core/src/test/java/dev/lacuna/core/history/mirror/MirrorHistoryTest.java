package dev.lacuna.core.history.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MirrorHistoryTest {
    private static final long MIB = 1L << 20;
    private static final long BASE = 1L << 40;

    private static List<String> pieces(LiveBlocks blocks) {
        LiveBlocks.Pieces pieces = blocks.pieces();
        return IntStream.range(0, pieces.size())
                .mapToObj(i -> pieces.kind(i) + " " + pieces.address(i) + " " + pieces.bytes(i))
                .toList();
    }

    @Test
    void tells_how_it_was_between_two_readings() {
        MirrorHistory history = new MirrorHistory(0);
        new MirrorEvents(0)
                .grow(BASE, 4 * MIB)
                .alloc(BASE, MIB)
                .alloc(BASE + MIB, MIB)
                .free(BASE, MIB)
                .into(history);
        assertThat(pieces(history.at(MirrorEvents.timeOf(1)).orElseThrow()))
                .containsExactly("BLOCK " + BASE + " " + MIB, "HOLE " + (BASE + MIB) + " " + 3 * MIB);
        assertThat(history.at(MirrorEvents.timeOf(2)).orElseThrow().coverage().blocks())
                .isEqualTo(2);
        assertThat(history.picture().coverage().blocks()).isEqualTo(1);
    }

    @Test
    void knows_nothing_of_the_time_before_the_first_event() {
        MirrorHistory history = new MirrorHistory(0);
        assertThat(history.at(0)).isEmpty();
        new MirrorEvents(0).grow(BASE, 4 * MIB).into(history);
        assertThat(history.at(MirrorEvents.timeOf(0) - 1)).isEmpty();
        assertThat(history.at(MirrorEvents.timeOf(0))).isPresent();
    }

    @Test
    void shows_at_every_moment_what_a_mirror_showed_then_across_copies() {
        MirrorHistory history = new MirrorHistory(0);
        BlockMirror mirror = new BlockMirror(0);
        MirrorEvents toHistory = new MirrorEvents(0);
        MirrorEvents toMirror = new MirrorEvents(0);
        Random random = new Random(3);
        List<String> then = List.of();
        long at = 0;
        for (int i = 0; i < 60_000; i++) {
            long address = BASE + MIB * random.nextInt(64);
            boolean alloc = random.nextBoolean();
            for (MirrorEvents events : List.of(toHistory, toMirror)) {
                if (alloc) {
                    events.alloc(address, MIB / 2);
                } else {
                    events.free(address, MIB / 2);
                }
            }
            if (i % 1000 == 999) {
                toHistory.into(history);
                toMirror.into(mirror);
            }
            if (i == 34_999) {
                at = MirrorEvents.timeOf(i);
                then = pieces(mirror.picture());
            }
        }
        assertThat(pieces(history.at(at).orElseThrow())).isEqualTo(then);
    }

    @Test
    void forgets_the_oldest_first_when_its_room_is_full() {
        MirrorHistory history = new MirrorHistory(0, 1_000_000);
        MirrorEvents events = new MirrorEvents(0);
        for (int i = 0; i < 100_000; i++) {
            events.alloc(BASE + MIB * (i % 8), MIB);
            if (i % 1000 == 999) {
                events.into(history);
            }
        }
        assertThat(history.at(MirrorEvents.timeOf(10))).isEmpty();
        assertThat(history.at(MirrorEvents.timeOf(99_990))).isPresent();
    }
}
