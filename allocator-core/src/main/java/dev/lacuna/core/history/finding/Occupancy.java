package dev.lacuna.core.history.finding;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.SegmentState;
import dev.lacuna.core.history.who.LiveBlocks;
import dev.lacuna.core.history.who.SegmentsAt;
import dev.lacuna.core.memory.GapParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Segments with their blocks at one moment. Made anew for each moment that a rule asks for, in one pass. Immutable. */
final class Occupancy {
    private final DeviceHistory history;
    private final int moment;
    private final List<SegmentUse> segments;
    private final long pendingBytes;

    private Occupancy(DeviceHistory history, int moment, List<SegmentUse> segments, long pendingBytes) {
        this.history = history;
        this.moment = moment;
        this.segments = List.copyOf(segments);
        this.pendingBytes = pendingBytes;
    }

    static Occupancy at(DeviceHistory history, int moment) {
        SegmentState state = SegmentsAt.moment(history, moment);
        Integer[] taken = taken(history, moment);
        List<SegmentUse> segments = new ArrayList<>(state.size());
        int next = 0;
        long pending = 0;
        for (int s = 0; s < state.size(); s++) {
            long start = state.address(s);
            while (next < taken.length && Long.compareUnsigned(history.addressOf(taken[next]), start) < 0) {
                next++; // Lies in no segment that is known.
            }
            int first = next;
            long bytes = 0;
            while (next < taken.length
                    && Long.compareUnsigned(history.addressOf(taken[next]) - start, state.totalBytes(s)) < 0) {
                bytes += history.bytesOf(taken[next]);
                pending += LiveBlocks.isPending(history, taken[next], moment) ? history.bytesOf(taken[next]) : 0;
                next++;
            }
            int[] blocks = Arrays.stream(taken, first, next)
                    .mapToInt(Integer::intValue)
                    .toArray();
            segments.add(new SegmentUse(
                    start,
                    state.totalBytes(s),
                    state.stream(s),
                    state.pool(s),
                    state.large(s),
                    state.expandable(s),
                    blocks,
                    bytes));
        }
        return new Occupancy(history, moment, segments, pending);
    }

    DeviceHistory history() {
        return history;
    }

    int moment() {
        return moment;
    }

    /** By address. */
    List<SegmentUse> segments() {
        return segments;
    }

    long reservedBytes() {
        return segments.stream().mapToLong(SegmentUse::totalBytes).sum();
    }

    /** Bytes of blocks in the trainer's hands that lie in segments. */
    long allocatedBytes() {
        return segments.stream().mapToLong(SegmentUse::takenBytes).sum() - pendingBytes;
    }

    GapParts gap() {
        long releasable = 0;
        for (SegmentUse segment : segments) {
            boolean byChunks = history.chunked() && segment.expandable();
            releasable +=
                    byChunks ? segment.idleChunkBytes(history) : segment.isWhollyFree() ? segment.totalBytes() : 0;
        }
        return GapParts.within(reservedBytes() - allocatedBytes(), releasable, pendingBytes);
    }

    /** Whether segments grow in place. */
    boolean expands() {
        return segments.stream().anyMatch(SegmentUse::expandable);
    }

    private static Integer[] taken(DeviceHistory history, int moment) {
        List<Integer> taken = new ArrayList<>();
        for (int a = 0; a < history.allocations(); a++) {
            if (history.bornAt(a) < moment && history.diedAt(a) >= moment) {
                taken.add(a);
            }
        }
        Integer[] sorted = taken.toArray(Integer[]::new);
        Arrays.sort(sorted, Comparator.comparing(history::addressOf, Long::compareUnsigned));
        return sorted;
    }
}
