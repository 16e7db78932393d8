package dev.lacuna.core.allocator.mindspeed;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The requests of one size in one run (a forward pass or a step): at which ticks they came, and when their blocks were freed
 * if that was within the run.
 *
 * <p>Stands for an ordered set of (tick, end). Where a run restarts its ticks, requests of one size may meet at one tick: those
 * that live share an element, one that comes after another's end makes a second. A look-up only ever sees the latest, so
 * that one is kept in columns; the others only count. Invariant: ticks ascend, each once.
 */
final class SizeRecords {
    private static final int SURVIVES = Integer.MAX_VALUE;

    private int[] ticks = new int[2];
    private int[] ends = new int[2];
    private int length;

    /** Elements that lie behind the latest of their tick, as tick and end in one number. */
    private Set<Long> covered = Set.of();

    /** The tick of the first request. Only of records that hold one. */
    int firstTick() {
        return ticks[0];
    }

    /** At how many ticks there were requests. */
    int count() {
        return length;
    }

    /** The i-th of these ticks, ascending. */
    int tick(int i) {
        return ticks[i];
    }

    /** Whether the block of the request at the i-th tick was not freed within the run. */
    boolean survives(int i) {
        return ends[i] == SURVIVES;
    }

    /** A request came at this tick. Returns by how many elements the set has grown. */
    int add(int tick) {
        int at = length == 0 || tick > ticks[length - 1] ? -length - 1 : find(tick);
        if (at < 0) {
            insert(-at - 1, tick);
            return 1;
        }
        if (ends[at] == SURVIVES) {
            return 0;
        }
        cover(tick, ends[at]);
        ends[at] = SURVIVES;
        return 1;
    }

    /** The block of the request at this tick was freed within the run. Returns by how many elements the set has grown. */
    int ended(int tick, int end) {
        int at = find(tick);
        if (ends[at] != SURVIVES) {
            return 0;
        }
        ends[at] = end;
        return !covered.isEmpty() && covered.remove(element(tick, end)) ? -1 : 0;
    }

    /** What became of the last request at or before this tick. */
    Fate fate(int tick) {
        int at = find(tick);
        int last = at >= 0 ? at : -at - 2;
        if (last < 0) {
            return Fate.UNKNOWN;
        }
        return ends[last] == SURVIVES ? Fate.SURVIVED : Fate.ENDED;
    }

    private int find(int tick) {
        return Arrays.binarySearch(ticks, 0, length, tick);
    }

    private void insert(int at, int tick) {
        if (length == ticks.length) {
            ticks = Arrays.copyOf(ticks, length * 2);
            ends = Arrays.copyOf(ends, length * 2);
        }
        System.arraycopy(ticks, at, ticks, at + 1, length - at);
        System.arraycopy(ends, at, ends, at + 1, length - at);
        ticks[at] = tick;
        ends[at] = SURVIVES;
        length++;
    }

    /** Only runs that restart their ticks come here. */
    private void cover(int tick, int end) {
        if (covered.isEmpty()) {
            covered = new HashSet<>();
        }
        covered.add(element(tick, end));
    }

    private static long element(int tick, int end) {
        return (long) tick << Integer.SIZE | end;
    }
}
