package dev.lacuna.core.replay.snapshot;

import dev.lacuna.core.allocator.caching.SegmentAddresses;
import dev.lacuna.core.allocator.model.Pool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** The driver of a recorded run: gives out the segments that it gave out then, and remembers which ones came back. */
final class RecordedSegments implements SegmentAddresses {
    private record Segment(long address, long bytes) {}

    private final Deque<Segment> recorded = new ArrayDeque<>();
    private final Set<Long> returned = new HashSet<>();

    /** The next segment that the recorded allocator took. */
    void record(long address, long bytes) {
        recorded.add(new Segment(address, bytes));
    }

    /** Recorded segments that the model did not ask for. */
    int left() {
        return recorded.size();
    }

    /** Addresses of segments given back since this was asked last. */
    Set<Long> takeReturned() {
        Set<Long> all = Set.copyOf(returned);
        returned.clear();
        return all;
    }

    /** Refuses where the model wants a segment that was not taken then, or of another size. */
    @Override
    public long take(Pool pool, long bytes, int stream) {
        Segment next = recorded.peek();
        if (next == null || next.bytes() != bytes) {
            return REFUSED;
        }
        return recorded.pop().address();
    }

    @Override
    public void hold(Pool pool, long address, long bytes) {
        // The recorded addresses are known to keep clear of it.
    }

    @Override
    public void giveBack(Pool pool, long address, long bytes) {
        returned.add(address);
    }
}
