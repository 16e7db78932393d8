package dev.lacuna.core.planning.swap.adaptive.step;

import java.util.Arrays;

/**
 * Where a forward pass stands after some layers: the time, the link, and what is still on its way out.
 *
 * <p>The backward pass is the same in reversed time: what comes in before a layer goes backward is, seen from the end,
 * what leaves after it. So one class serves both. Copies go in the order of the layers, one at a time; a layer begins
 * when the one before it is over and enough of what is leaving has left.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never handed out for writing
public record PassState(long nowNs, long begunNs, long linkFreeNs, long[] leaveNs, long[] leaveBytes) {
    private static final long[] NONE = {};
    public static final PassState START = new PassState(0, 0, 0, NONE, NONE);

    /** After a layer that stays, or is recomputed; {@code roomBytes} is what may be on its way out while it runs. */
    PassState kept(long roomBytes, long layerNs) {
        return after(begin(roomBytes), layerNs, 0, 0);
    }

    /** After a layer whose bytes leave when it is over. */
    PassState swapped(long roomBytes, long layerNs, long bytes, long copyNs) {
        return after(begin(roomBytes), layerNs, bytes, copyNs);
    }

    /** Time when the pass is over and nothing is on its way: the next pass begins then. */
    public long drainedNs() {
        return Math.max(nowNs, linkFreeNs);
    }

    private long begin(long roomBytes) {
        long begin = nowNs;
        long pending = pendingBytes();
        for (int i = 0; i < leaveNs.length && pending > roomBytes; i++) {
            begin = leaveNs[i];
            pending -= leaveBytes[i];
        }
        return begin;
    }

    private PassState after(long begin, long layerNs, long bytes, long copyNs) {
        long end = begin + layerNs;
        int gone = 0;
        while (gone < leaveNs.length && leaveNs[gone] <= end) {
            gone++;
        }
        if (bytes == 0) {
            return new PassState(end, begin, linkFreeNs, from(leaveNs, gone), from(leaveBytes, gone));
        }
        int left = leaveNs.length - gone;
        long[] ends = Arrays.copyOfRange(leaveNs, gone, leaveNs.length + 1);
        long[] sizes = Arrays.copyOfRange(leaveBytes, gone, leaveNs.length + 1);
        long free = Math.max(linkFreeNs, end) + copyNs;
        ends[left] = free;
        sizes[left] = bytes;
        return new PassState(end, begin, free, ends, sizes);
    }

    private static long[] from(long[] all, int first) {
        return first == 0 ? all : Arrays.copyOfRange(all, first, all.length);
    }

    public long pendingBytes() {
        long sum = 0;
        for (long each : leaveBytes) {
            sum += each;
        }
        return sum;
    }

    /**
     * How long this state must idle until it is no worse than another one: never more bytes at any later moment, and the
     * link no later free. {@code slackBytes} is how much less this one holds beside what is leaving.
     */
    public long behindNs(PassState other, long slackBytes) {
        long behind = Math.max(0, linkFreeNs - nowNs - Math.max(0, other.linkFreeNs - other.nowNs));
        long mine = pendingBytes();
        long theirs = other.pendingBytes();
        int at = 0;
        for (int i = 0; i < leaveNs.length && mine > slackBytes; i++) {
            // Until when the other holds as much as this one does before its copy i is over.
            while (at < other.leaveNs.length && theirs - other.leaveBytes[at] + slackBytes >= mine) {
                theirs -= other.leaveBytes[at];
                at++;
            }
            long until = theirs + slackBytes >= mine && at < other.leaveNs.length ? other.leaveNs[at] - other.nowNs : 0;
            behind = Math.max(behind, leaveNs[i] - nowNs - until);
            mine -= leaveBytes[i];
        }
        return behind;
    }
}
