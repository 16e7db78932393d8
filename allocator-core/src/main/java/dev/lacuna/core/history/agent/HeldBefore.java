package dev.lacuna.core.history.agent;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.build.OpeningSegments;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.model.SegmentState.Segment;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a device held before its recording and no event tells of: the agent counted it, but where it lies nobody knows. So that curves
 * and sums are right, it stands as one block in one segment at address 0, where no memory is.
 *
 * @param allocatedBytes in the trainer's hands
 * @param requestedBytes that the trainer asked for of these
 * @param reservedBytes taken from the device
 */
record HeldBefore(long allocatedBytes, long requestedBytes, long reservedBytes) {
    private static final HeldBefore NOTHING = new HeldBefore(0, 0, 0);

    /** What the first counters say beyond what the events before them come to. */
    static HeldBefore of(
            AgentHistory reported, int[] countedAt, SnapshotEvents events, Lives lives, SegmentState opening) {
        if (reported.fromTheStart() || countedAt.length == 0) {
            return NOTHING;
        }
        int moment = countedAt[0];
        AgentHistory.Counted counted = reported.counted().get(0);
        long allocated = 0;
        long requested = 0;
        for (int a = 0; a < lives.born.length; a++) {
            if (lives.born[a] < moment && lives.freed[a] >= moment) {
                allocated += lives.bytes[a];
                requested += lives.born[a] < 0 ? lives.opening[a].requested() : events.bytes(lives.born[a]);
            }
        }
        long held = Math.max(0, counted.allocated() - allocated);
        long reserved = counted.reserved() == AgentHistory.NOT_COUNTED
                ? held
                : counted.reserved() - reserved(events, opening, moment);
        return new HeldBefore(
                held, Math.max(0, Math.min(held, counted.requested() - requested)), Math.max(0, reserved));
    }

    private static long reserved(SnapshotEvents events, SegmentState opening, int moment) {
        SegmentSet segments = new SegmentSet(opening);
        for (int i = 0; i < moment; i++) {
            EventKind action = events.action(i);
            if (action.aboutSegment()) {
                segments.apply(action, OpeningSegments.piece(events, i));
            }
        }
        return segments.reservedBytes();
    }

    /** These with the block in front. */
    Lives lives(Lives known) {
        if (allocatedBytes == 0) {
            return known;
        }
        Lives.Opening[] opening = new Lives.Opening[known.opening.length + 1];
        opening[0] = new Lives.Opening(0, requestedBytes, 0, 0);
        System.arraycopy(known.opening, 0, opening, 1, known.opening.length);
        int never = known.ofEvent.length;
        int[] ofEvent = Arrays.stream(known.ofEvent).map(a -> a < 0 ? a : a + 1).toArray();
        return new Lives(
                opening,
                behind(allocatedBytes, known.bytes),
                behind(DeviceHistory.NONE, known.born),
                behind(never, known.freed),
                behind(never, known.died),
                ofEvent);
    }

    /** These with the segment in front. */
    SegmentState with(SegmentState known) {
        if (reservedBytes == 0) {
            return known;
        }
        List<Segment> all = new ArrayList<>();
        all.add(new Segment(0, reservedBytes, 0, PoolId.DEFAULT, true, false, 0));
        for (int i = 0; i < known.size(); i++) {
            all.add(known.segment(i));
        }
        return new SegmentState(all);
    }

    private static int[] behind(int first, int[] values) {
        int[] out = new int[values.length + 1];
        out[0] = first;
        System.arraycopy(values, 0, out, 1, values.length);
        return out;
    }

    private static long[] behind(long first, long[] values) {
        long[] out = new long[values.length + 1];
        out[0] = first;
        System.arraycopy(values, 0, out, 1, values.length);
        return out;
    }
}
