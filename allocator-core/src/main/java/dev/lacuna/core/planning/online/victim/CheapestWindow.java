package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.PlacedMemory;
import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.program.OperatorCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The cheapest stretch of neighbouring storages and holes that the largest output of the call fits into. Source: Zhang
 * et al., "Coop: Memory is not a Commodity", NeurIPS 2023, whose sliding window this is.
 */
final class CheapestWindow implements VictimChoice {
    private final PlacedMemory memory;
    private final LowestScore.Score cost;
    private final LowestScore otherwise;
    private long evaluations;

    /**
     * @param cost what evicting a storage costs; costs of a stretch are added up
     * @param otherwise the rule where no stretch is long enough: too much is locked in between
     */
    CheapestWindow(PlacedMemory memory, LowestScore.Score cost, LowestScore otherwise) {
        this.memory = memory;
        this.cost = cost;
        this.otherwise = otherwise;
    }

    @Override
    public List<Storage> choose(EvictionPool pool, long nowNs, OperatorCall needs) {
        long wanted = 0;
        for (long bytes : needs.outputBytes()) {
            wanted = Math.max(wanted, bytes);
        }
        List<Storage> best = List.of();
        double cheapest = Double.POSITIVE_INFINITY;
        ArrayDeque<Storage> window = new ArrayDeque<>();
        ArrayDeque<Double> costs = new ArrayDeque<>();
        double sum = 0;
        long begin = 0;
        Iterator<Storage> all = memory.from(0).iterator();
        Optional<Storage> ahead = next(all);
        while (ahead.isPresent()) {
            Storage each = ahead.get();
            ahead = next(all);
            if (!pool.contains(each)) {
                window.clear();
                costs.clear();
                sum = 0;
                begin = memory.addressOf(each) + each.bytes;
                continue;
            }
            evaluations++;
            double own = cost.of(each, nowNs);
            window.add(each);
            costs.add(own);
            sum += own;
            // The hole behind it counts too.
            long end = ahead.isPresent() ? memory.addressOf(ahead.get()) : memory.capacity();
            while (window.size() > 1 && end - afterFirst(window) >= wanted) {
                begin = afterFirst(window);
                window.remove();
                sum -= costs.remove();
            }
            if (end - begin >= wanted && sum < cheapest) {
                cheapest = sum;
                best = new ArrayList<>(window);
            }
        }
        return best.isEmpty() ? otherwise.choose(pool, nowNs, needs) : best;
    }

    @Override
    public long evaluations() {
        return evaluations + otherwise.evaluations();
    }

    private static Optional<Storage> next(Iterator<Storage> all) {
        return all.hasNext() ? Optional.of(all.next()) : Optional.empty();
    }

    /** Where the window would begin without its first storage. */
    private long afterFirst(ArrayDeque<Storage> window) {
        Storage first = window.getFirst();
        return memory.addressOf(first) + first.bytes;
    }
}
