package dev.lacuna.core.history;

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
        int[] found = new int[Math.min(most, ids.length)];
        int count = 0;
        for (int i = 0; i < ids.length && count < found.length; i++) {
            int first = Arrays.binarySearch(moments, born[i] + 1);
            int at = first < 0 ? -first - 1 : first;
            if (at < moments.length && moments[at] <= freed[i]) {
                found[count++] = ids[i];
            }
        }
        int[] alive = Arrays.copyOf(found, count);
        Arrays.sort(alive);
        return alive;
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
