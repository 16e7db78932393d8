package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What a search among a device's blocks found.
 *
 * @param history of which device
 * @param largest the largest of them
 * @param count how many there are
 * @param bytes what they hold together
 */
public record FoundBlocks(DeviceHistory history, List<Integer> largest, long count, long bytes) {
    public FoundBlocks {
        largest = List.copyOf(largest);
    }

    /**
     * Looks through all blocks.
     *
     * @param wanted which are looked for, by their numbers
     * @param limit at most so many are listed, the largest; all are counted
     */
    public static FoundBlocks of(DeviceHistory history, IntPredicate wanted, int limit) {
        long[] sums = new long[2];
        int[] largest = HeldByTrainer.largest(history, limit, a -> {
            boolean found = wanted.test(a);
            if (found) {
                sums[0]++;
                sums[1] += history.bytesOf(a);
            }
            return found;
        });
        return new FoundBlocks(history, Arrays.stream(largest).boxed().toList(), sums[0], sums[1]);
    }

    /** Those that are live at a moment and that a query finds. */
    public static FoundBlocks live(DeviceHistory history, BlockQuery query, int moment, int limit) {
        BlockSearch search = new BlockSearch(history, query);
        return of(history, a -> HeldByTrainer.isLive(history, a, moment) && search.test(a), limit);
    }

    /** Those of the whole recording that a query finds. */
    public static FoundBlocks all(DeviceHistory history, BlockQuery query, int limit) {
        return of(history, new BlockSearch(history, query), limit);
    }
}
