package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Groups of large blocks that one stack asked for, to be compared with one another. */
public final class SimilarBlocks {
    /** Smaller blocks are left out: there are many, and they matter little. */
    static final long LEAST_BLOCK_BYTES = 1L << 20;

    private SimilarBlocks() {}

    /** The blocks of each stack that were born and freed within the recording, in the order of their births. */
    public static Collection<int[]> byStack(DeviceHistory history) {
        Map<Integer, List<Integer>> groups = new HashMap<>();
        for (int a = history.openingAllocations(); a < history.allocations(); a++) {
            if (history.bytesOf(a) >= LEAST_BLOCK_BYTES && history.freedAt(a) < history.size()) {
                groups.computeIfAbsent(StackBytes.stackOf(history, a), s -> new ArrayList<>())
                        .add(a);
            }
        }
        return groups.values().stream()
                .map(group -> group.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    public static int lifetime(DeviceHistory history, int allocation) {
        return history.freedAt(allocation) - history.bornAt(allocation);
    }

    /** The lifetime that half of them do not exceed, in events. */
    public static int medianLifetime(DeviceHistory history, int[] group) {
        int[] lifetimes =
                Arrays.stream(group).map(a -> lifetime(history, a)).sorted().toArray();
        return lifetimes[lifetimes.length / 2];
    }

    public static long bytes(DeviceHistory history, int[] group) {
        return Arrays.stream(group).mapToLong(history::bytesOf).sum();
    }
}
