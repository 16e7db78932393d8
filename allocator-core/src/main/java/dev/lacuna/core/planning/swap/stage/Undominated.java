package dev.lacuna.core.planning.swap.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** Keeps of many partial plans those that no other one beats in everything. */
public final class Undominated {
    private Undominated() {}

    /**
     * Those that none before them dominates.
     *
     * @param sorted such that nothing is dominated by what comes after it
     * @param dominates whether the first makes the second needless
     */
    public static <T> List<T> of(List<T> sorted, BiPredicate<T, T> dominates) {
        List<T> kept = new ArrayList<>();
        for (T each : sorted) {
            boolean dominated = false;
            // The latest kept ones are the likeliest: nearly as large, and faster.
            for (int i = kept.size() - 1; i >= 0 && !dominated; i--) {
                dominated = dominates.test(kept.get(i), each);
            }
            if (!dominated) {
                kept.add(each);
            }
        }
        return kept;
    }
}
