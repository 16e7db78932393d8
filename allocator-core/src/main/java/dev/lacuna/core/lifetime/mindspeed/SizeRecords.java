package dev.lacuna.core.lifetime.mindspeed;

import java.util.Arrays;

/**
 * The requests of one size in one run (a forward pass or a step): at which ticks they came, and which of their blocks
 * survived the run.
 *
 * <p>Invariant: ticks ascend. A tick occurs once: where a run restarts its ticks, two requests of one size may meet at one
 * tick, and then share a record, as they do in the ordered set of the original.
 */
final class SizeRecords {
    private int[] ticks = new int[2];
    private boolean[] survivals = new boolean[2];
    private int count;

    /** The tick of the first request. Only of records that hold one. */
    int firstTick() {
        return ticks[0];
    }

    /** A request came at this tick and lives. False when it shares the record of another that still lives. */
    boolean add(int tick) {
        int at = count == 0 || tick > ticks[count - 1] ? count : Arrays.binarySearch(ticks, 0, count, tick);
        if (at >= 0 && at < count) {
            boolean lived = survivals[at];
            survivals[at] = true;
            return !lived;
        }
        insert(at == count ? count : -at - 1, tick);
        return true;
    }

    /** The block of the request at this tick was freed within the run. */
    void ended(int tick) {
        survivals[Arrays.binarySearch(ticks, 0, count, tick)] = false;
    }

    /** Where the last request at or before this tick is, negative when there is none. */
    int lastUpTo(int tick) {
        int at = Arrays.binarySearch(ticks, 0, count, tick);
        return at >= 0 ? at : -at - 2;
    }

    /** Whether the block of the request found there survived the run. */
    boolean survived(int at) {
        return survivals[at];
    }

    private void insert(int at, int tick) {
        if (count == ticks.length) {
            ticks = Arrays.copyOf(ticks, count * 2);
            survivals = Arrays.copyOf(survivals, count * 2);
        }
        System.arraycopy(ticks, at, ticks, at + 1, count - at);
        System.arraycopy(survivals, at, survivals, at + 1, count - at);
        ticks[at] = tick;
        survivals[at] = true;
        count++;
    }
}
