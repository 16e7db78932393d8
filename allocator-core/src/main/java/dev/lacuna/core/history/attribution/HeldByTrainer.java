package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Which blocks the trainer holds at a moment: born before it, and not yet asked to be freed. */
public final class HeldByTrainer {
    private HeldByTrainer() {}

    /** Whether the allocation is in the trainer's hands after the first {@code moment} events. */
    public static boolean isLive(DeviceHistory history, int allocation, int moment) {
        return history.bornAt(allocation) < moment && history.freedAt(allocation) >= moment;
    }

    /** Whether it is freed, while a stream still uses it, after the first {@code moment} events. */
    public static boolean isPending(DeviceHistory history, int allocation, int moment) {
        return history.freedAt(allocation) < moment && history.diedAt(allocation) >= moment;
    }

    /** Every live allocation, by number. */
    public static void forEach(DeviceHistory history, int moment, IntConsumer action) {
        for (int a = 0; a < history.allocations(); a++) {
            if (isLive(history, a, moment)) {
                action.accept(a);
            }
        }
    }

    /** Bytes of all live allocations. */
    public static long bytes(DeviceHistory history, int moment) {
        long sum = 0;
        for (int a = 0; a < history.allocations(); a++) {
            if (isLive(history, a, moment)) {
                sum += history.bytesOf(a);
            }
        }
        return sum;
    }

    /**
     * The largest of the allocations that are wanted, largest first, ties by number; at most {@code limit}, however many
     * there are, so that a table never sorts millions.
     */
    public static int[] largest(DeviceHistory history, int limit, IntPredicate wanted) {
        Comparator<Integer> smallestFirst =
                Comparator.<Integer>comparingLong(history::bytesOf).thenComparing(Comparator.<Integer>reverseOrder());
        PriorityQueue<Integer> kept = new PriorityQueue<>(smallestFirst);
        for (int a = 0; a < history.allocations(); a++) {
            if (!wanted.test(a)) {
                continue;
            }
            if (kept.size() < limit) {
                kept.add(a);
            } else if (limit > 0 && history.bytesOf(a) > history.bytesOf(kept.element())) {
                kept.poll();
                kept.add(a);
            }
        }
        Integer[] sorted = kept.toArray(Integer[]::new);
        Arrays.sort(sorted, smallestFirst.reversed());
        return IntStream.range(0, sorted.length).map(i -> sorted[i]).toArray();
    }
}
