package dev.lacuna.core.history.model;

import java.util.Arrays;

/**
 * The largest allocations of a device, so that those that matter in any stretch are found at once. Immutable. Of recordings with
 * more than {@value #KEPT} allocations the smaller ones are left out: even drawn over each other they would be no pixel.
 */
public final class LargestBlocks {
    /** Allocations kept: some 4 MB. */
    static final int KEPT = 200_000;

    private final int[] ids;
    private final int[] born;
    private final int[] freed;

    /** Chooses them. */
    public LargestBlocks(DeviceHistory device) {
        ids = largest(device);
        born = new int[ids.length];
        freed = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            born[i] = device.bornAt(ids[i]);
            freed[i] = device.freedAt(ids[i]);
        }
    }

    /**
     * The largest allocations that were in the trainer's hands at one of these moments at least, by number: in the order in which
     * they were handed out.
     *
     * @param moments none smaller than the one before
     * @param most how many at most
     */
    public int[] aliveAt(int[] moments, int most) {
        if (moments.length == 0) {
            return new int[0];
        }
        int[] found = new int[Math.min(most, ids.length)];
        int count = 0;
        int last = moments[moments.length - 1];
        FirstMoments first = new FirstMoments(moments);
        for (int i = 0; i < ids.length && count < found.length; i++) {
            if (born[i] < last && moments[0] <= freed[i] && moments[first.from(born[i] + 1)] <= freed[i]) {
                found[count++] = ids[i];
            }
        }
        int[] alive = Arrays.copyOf(found, count);
        Arrays.sort(alive);
        return alive;
    }

    /**
     * Which of many moments is the first from a certain one on. A picture asks for every block, so the answer for the beginning of
     * each of so many equal stretches is kept, and only the few moments of one stretch are looked at.
     */
    private static final class FirstMoments {
        /** Stretches for each moment, about. */
        private static final int STRETCHES_EACH = 4;

        private final int[] moments;
        private final int[] starts;
        private final int shift;

        FirstMoments(int[] moments) {
            this.moments = moments;
            int extent = moments[moments.length - 1] - moments[0];
            int wanted = Math.max(1, extent / (STRETCHES_EACH * moments.length));
            shift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(wanted);
            starts = new int[(extent >> shift) + 1];
            int at = 0;
            for (int s = 0; s < starts.length; s++) {
                while (moments[at] - moments[0] < (long) s << shift) {
                    at++;
                }
                starts[s] = at;
            }
        }

        /** The index of a moment as early as any that is not before this one, which is not after the last. */
        int from(int moment) {
            int stretch = Math.max(0, moment - moments[0]) >> shift;
            int end = stretch + 1 < starts.length ? starts[stretch + 1] : moments.length;
            int found = Arrays.binarySearch(moments, starts[stretch], end, moment);
            return found < 0 ? -found - 1 : found;
        }
    }

    /** By size, the largest first. */
    private static int[] largest(DeviceHistory device) {
        int all = device.allocations();
        long[] sizes = new long[all];
        for (int a = 0; a < all; a++) {
            sizes[a] = device.bytesOf(a);
        }
        Arrays.sort(sizes);
        int kept = Math.min(all, KEPT);
        long smallest = kept == 0 ? 0 : sizes[all - kept];
        int atSmallest = 0;
        for (int i = all - kept; i < all && sizes[i] == smallest; i++) {
            atSmallest++;
        }
        long[][] chosen = new long[kept][];
        int count = 0;
        for (int a = 0; a < all; a++) {
            long bytes = device.bytesOf(a);
            if (bytes > smallest || bytes == smallest && atSmallest-- > 0) {
                chosen[count++] = new long[] {bytes, a};
            }
        }
        Arrays.sort(
                chosen,
                (one, other) -> one[0] != other[0] ? Long.compare(other[0], one[0]) : Long.compare(one[1], other[1]));
        return Arrays.stream(chosen).mapToInt(pair -> (int) pair[1]).toArray();
    }
}
