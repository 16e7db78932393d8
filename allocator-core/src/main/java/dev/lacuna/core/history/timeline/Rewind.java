package dev.lacuna.core.history.timeline;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HeldBlocks;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Goes to any moment of a device's history. Checkpoints list the blocks that hold memory, by address; from the nearest one before
 * a moment, those that died since are left out and those that were born since and are still there are merged in. Checkpoints take a
 * bounded amount of memory: where they would take more, every other one is given up. Safe for several threads.
 */
public final class Rewind {
    /** Events between checkpoints to begin with: few enough that walking over them is not felt. */
    private static final int SPACING = 1 << 15;

    /** Blocks and segments in all checkpoints together; a segment takes as much memory as a block, or less. */
    private static final long MOST_ENTRIES = (96L << 20) / HeldBlocks.BYTES_EACH;

    /** The blocks that hold memory at a moment, by address, and the segments. */
    private record State(int moment, HeldBlocks blocks, SegmentState segments) {
        long entries() {
            return (long) blocks.size() + segments.size();
        }
    }

    private final DeviceHistory history;
    private final int[] segmentEvents;
    private final List<State> checkpoints;
    private final int spacing;
    private volatile State last;

    /** Prepares the checkpoints: one walk through the history. */
    public Rewind(DeviceHistory history) {
        this(history, SPACING, MOST_ENTRIES);
    }

    Rewind(DeviceHistory history, int firstSpacing, long mostEntries) {
        this.history = history;
        this.segmentEvents = segmentEvents(history);
        int distance = firstSpacing;
        List<State> kept = new ArrayList<>();
        State at = opening();
        kept.add(at);
        long entries = at.entries();
        for (long next = distance; next <= history.size(); next += distance) {
            at = advance(at, (int) next);
            kept.add(at);
            entries += at.entries();
            while (entries > mostEntries && kept.size() > 2) {
                distance *= 2;
                kept = everyOther(kept);
                entries = kept.stream().mapToLong(State::entries).sum();
                at = kept.get(kept.size() - 1);
                next = at.moment();
            }
        }
        this.checkpoints = kept;
        this.spacing = distance;
        this.last = kept.get(0);
    }

    /** The history that this walks in. */
    public DeviceHistory history() {
        return history;
    }

    /**
     * The state after the first {@code moment} events.
     *
     * @throws IndexOutOfBoundsException unless 0 ≤ moment ≤ size of the history
     */
    public Moment at(int moment) {
        if (moment < 0 || moment > history.size()) {
            throw new IndexOutOfBoundsException("moment " + moment + " of " + history.size());
        }
        State from = checkpoints.get(Math.min(checkpoints.size() - 1, moment / spacing));
        State recent = last;
        State nearest = recent.moment() <= moment && recent.moment() > from.moment() ? recent : from;
        State state = advance(nearest, moment);
        last = state;
        return new Moment(history, moment, state.blocks(), state.segments());
    }

    /** Number of checkpoints and distance between them: for tests and curious people. */
    int checkpoints() {
        return checkpoints.size();
    }

    int spacing() {
        return spacing;
    }

    private static List<State> everyOther(List<State> all) {
        List<State> half = new ArrayList<>();
        for (int i = 0; i < all.size(); i += 2) {
            half.add(all.get(i));
        }
        return half;
    }

    private State opening() {
        return new State(0, HeldBlocks.opening(history), history.opening());
    }

    private State advance(State from, int moment) {
        if (moment == from.moment()) {
            return from;
        }
        HeldBlocks fresh = HeldBlocks.born(history, bornBefore(from.moment()), bornBefore(moment), moment);
        return new State(moment, from.blocks().later(moment, fresh), segmentsAt(from, moment));
    }

    /** Allocations are numbered in the order of their birth. */
    private int bornBefore(int moment) {
        int low = history.openingAllocations();
        int high = history.allocations();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (history.bornAt(middle) < moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private SegmentState segmentsAt(State from, int moment) {
        int first = insertion(from.moment());
        int end = insertion(moment);
        if (first == end) {
            return from.segments();
        }
        SegmentSet segments = new SegmentSet(from.segments());
        for (int i = first; i < end; i++) {
            segments.apply(history, segmentEvents[i]);
        }
        return segments.state();
    }

    /** How many of the segments' events come before this one. */
    private int insertion(int event) {
        int at = Arrays.binarySearch(segmentEvents, event);
        return at < 0 ? -at - 1 : at;
    }

    private static int[] segmentEvents(DeviceHistory history) {
        int[] found = new int[64];
        int count = 0;
        for (int i = 0; i < history.size(); i++) {
            if (history.action(i).aboutSegment()) {
                found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
