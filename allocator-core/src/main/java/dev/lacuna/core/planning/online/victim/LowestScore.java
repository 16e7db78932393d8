package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.program.OperatorCall;
import java.util.List;
import java.util.SplittableRandom;

/** The storage with the lowest score, the last in the pool among equals; a score of 0 ends the search at once. */
final class LowestScore implements VictimChoice {
    /** The smaller storages are not looked at: 1 % of the mean size in the pool. */
    private static final double WORTH_A_LOOK = 0.01;

    /** What evicting a storage costs, the less the better. */
    interface Score {
        double of(Storage storage, long nowNs);
    }

    private final Score score;
    private final SearchShortcuts shortcuts;
    private final SplittableRandom random;
    private long evaluations;

    LowestScore(Score score, SearchShortcuts shortcuts) {
        this.score = score;
        this.shortcuts = shortcuts;
        random = new SplittableRandom(shortcuts.seed());
    }

    @Override
    public List<Storage> choose(EvictionPool pool, long nowNs, OperatorCall needs) {
        double smallest = shortcuts.skipSmall() ? WORTH_A_LOOK * pool.bytes() / pool.size() : 0;
        Storage best = shortcuts.sample() ? sampled(pool, nowNs, smallest) : scanned(pool, nowNs, smallest);
        // A sample can miss all that is worth a look; something must go.
        return List.of(best != null ? best : scanned(pool, nowNs, 0));
    }

    @Override
    public long evaluations() {
        return evaluations;
    }

    private Storage scanned(EvictionPool pool, long nowNs, double smallest) {
        double lowest = Double.POSITIVE_INFINITY;
        Storage best = null;
        for (int slot = 0; slot < pool.end(); slot++) {
            Storage each = pool.at(slot);
            if (each == null || each.bytes < smallest) {
                continue;
            }
            evaluations++;
            double found = score.of(each, nowNs);
            if (found <= lowest) {
                lowest = found;
                best = each;
            }
            if (found == 0) {
                break;
            }
        }
        return best;
    }

    private Storage sampled(EvictionPool pool, long nowNs, double smallest) {
        int draws = (int) Math.ceil(Math.sqrt(pool.size()));
        double lowest = Double.POSITIVE_INFINITY;
        Storage best = null;
        for (int i = 0; i < draws; i++) {
            Storage each = pool.any(random);
            if (each.bytes < smallest) {
                continue;
            }
            evaluations++;
            double found = score.of(each, nowNs);
            if (found <= lowest) {
                lowest = found;
                best = each;
            }
        }
        return best;
    }
}
