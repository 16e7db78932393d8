package dev.lacuna.core.history;

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

    /** Blocks and segments in all checkpoints together; one costs four bytes, a segment counts as {@link #SEGMENT_COST}. */
    private static final long MOST_ENTRIES = 16L << 20;

    private static final int SEGMENT_COST = 12;

    /** The blocks that hold memory at a moment, by address, and the segments. */
    private record State(int moment, int[] blocks, SegmentState segments) {
        long entries() {
            return blocks.length + (long) SEGMENT_COST * segments.size();
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
        int[] blocks = new int[history.openingAllocations()];
        for (int a = 0; a < blocks.length; a++) {
            blocks[a] = a;
        }
        sortByAddress(blocks, blocks.length);
        return new State(0, blocks, history.opening());
    }

    private State advance(State from, int moment) {
        if (moment == from.moment()) {
            return from;
        }
        int first = bornBefore(from.moment());
        int end = bornBefore(moment);
        int[] fresh = new int[16];
        int count = 0;
        for (int a = first; a < end; a++) {
            if (history.diedAt(a) >= moment) {
                fresh = count == fresh.length ? Arrays.copyOf(fresh, 2 * count) : fresh;
                fresh[count++] = a;
            }
        }
        sortByAddress(fresh, count);
        return new State(moment, merged(from.blocks(), fresh, count, moment), segmentsAt(from, moment));
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

    private int[] merged(int[] old, int[] fresh, int count, int moment) {
        int[] out = new int[old.length + count];
        int size = 0;
        int f = 0;
        for (int a : old) {
            if (history.diedAt(a) >= moment) {
                while (f < count && isBelow(fresh[f], a)) {
                    out[size++] = fresh[f++];
                }
                out[size++] = a;
            }
        }
        while (f < count) {
            out[size++] = fresh[f++];
        }
        return size == out.length ? out : Arrays.copyOf(out, size);
    }

    private boolean isBelow(int a, int b) {
        return Long.compareUnsigned(history.addressOf(a), history.addressOf(b)) < 0;
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

    /** A merge sort: the library's cannot sort ints by something else without making objects of them. */
    private void sortByAddress(int[] blocks, int count) {
        int[] from = blocks;
        int[] to = new int[count];
        for (int width = 1; width < count; width *= 2) {
            for (int low = 0; low < count; low += 2 * width) {
                merge(from, to, low, Math.min(low + width, count), Math.min(low + 2 * width, count));
            }
            int[] other = from;
            from = to;
            to = other;
        }
        if (from != blocks) {
            System.arraycopy(from, 0, blocks, 0, count);
        }
    }

    private void merge(int[] from, int[] to, int low, int middle, int high) {
        int a = low;
        int b = middle;
        for (int i = low; i < high; i++) {
            boolean second = b < high && (a >= middle || isBelow(from[b], from[a]));
            to[i] = second ? from[b++] : from[a++];
        }
    }
}
