package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.base.Patience;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Simulated annealing over the recomputations of a schedule. Its energy is the cost plus a price for bytes above the
 * limit; the price rises while nothing fits and falls while all does, so that the search stays near the limit. A move
 * makes one value again for a later use, with inputs that are gone then, or takes recomputations back, or shifts them.
 */
final class RetentionSearch {
    /** Values that may go for one that stays. */
    private static final int MOST_EXCHANGED = 3;

    /** Moves between changes of the price, fewer when there are few. */
    private static final long PRICED_EVERY = 128;

    /** Moves between looks at the clock. */
    private static final int ASKED_EVERY = 16;

    private final Retention now;
    private final long limit;
    private final SplittableRandom random;

    /** What the current move did, to take it back: stage and node, and whether it was added. */
    private int[] journal = new int[64];

    private int journalled;

    private long bestCost = Long.MAX_VALUE;
    private long[] best = new long[0];

    RetentionSearch(Retention start, long limit, long seed) {
        now = start;
        this.limit = limit;
        random = new SplittableRandom(seed);
    }

    long bestCost() {
        return bestCost;
    }

    /** The recomputations of the cheapest schedule that fits, none when none did. */
    long[] best() {
        return best.clone();
    }

    /** One cooling from a temperature to another, both in units of cost. */
    void anneal(long moves, double hot, double cold, double startPrice, Patience patience) {
        double price = startPrice;
        long excess = now.excess(limit);
        long cost = now.cost();
        keep(cost, excess);
        double factor = Math.pow(cold / hot, 1.0 / Math.max(1, moves));
        double temperature = hot;
        long interval = Math.max(1, Math.min(PRICED_EVERY, moves / 40));
        for (long move = 0;
                move < moves && (move % ASKED_EVERY != 0 || !patience.isOver());
                move++, temperature *= factor) {
            journalled = 0;
            propose(excess > 0);
            if (journalled == 0) {
                continue;
            }
            long newCost = now.cost();
            long newExcess = now.excess(limit);
            double worse = newCost - cost + price * (newExcess - excess);
            if (worse <= 0 || random.nextDouble() < Math.exp(-worse / temperature)) {
                cost = newCost;
                excess = newExcess;
                keep(cost, excess);
            } else {
                takeBack();
            }
            if (move % interval == 0) {
                price *= excess > 0 ? 1.02 : 0.98;
                price = Math.max(startPrice * 0.02, Math.min(price, startPrice * 1000));
            }
        }
    }

    private void keep(long cost, long excess) {
        if (excess == 0 && cost < bestCost) {
            bestCost = cost;
            best = now.snapshot();
        }
    }

    private void takeBack() {
        while (journalled > 0) {
            int node = journal[--journalled];
            int stage = journal[--journalled];
            if (stage >= 0) {
                now.remove(stage, node);
            } else {
                now.add(~stage, node);
            }
        }
    }

    private void add(int stage, int node) {
        now.add(stage, node);
        note(stage, node);
    }

    private void remove(int stage, int node) {
        now.remove(stage, node);
        note(~stage, node);
    }

    private void note(int stage, int node) {
        if (journalled + 2 > journal.length) {
            journal = Arrays.copyOf(journal, 2 * journal.length);
        }
        journal[journalled++] = stage;
        journal[journalled++] = node;
    }

    private void propose(boolean over) {
        int kind = random.nextInt(100);
        if (now.recomputations() == 0 || kind < (over ? 40 : 25)) {
            makeAgain(over);
        } else if (kind < 50) {
            keepInstead();
        } else if (kind < 70) {
            shift();
        } else {
            exchange();
        }
    }

    /** What is kept now makes others go, where bytes are short. */
    private void exchange() {
        keepInstead();
        for (int i = 0; i < MOST_EXCHANGED && now.excess(limit) > 0; i++) {
            makeAgain(true);
        }
    }

    /** A value that is carried through some stage goes after its use before and is made again for the next. */
    private void makeAgain(boolean over) {
        int stage = stage(over);
        int from = random.nextInt(stage + 1);
        for (int i = 0; i <= stage; i++) {
            int node = from + i <= stage ? from + i : from + i - stage - 1;
            if (node < stage && now.bytes(node) > 0 && now.carriedInto(node, stage)) {
                int use = now.nextUse(node, stage);
                if (use < now.size() && !now.computes(use, node)) {
                    add(use, node);
                    makeInputs(use, node, random.nextInt(4));
                }
                return;
            }
        }
    }

    private int stage(boolean over) {
        int size = now.size();
        int from = 1 + random.nextInt(size - 1);
        if (over) {
            for (int i = 0; i < size; i++) {
                int stage = from + i < size ? from + i : from + i - size;
                if (stage > 0 && now.peak(stage) > limit) {
                    return stage;
                }
            }
        }
        return from;
    }

    /** Inputs that had to be carried on for a computation are made again too, some or all. */
    private void makeInputs(int stage, int node, int willingness) {
        for (int input : now.inputs(node)) {
            if (input < stage && !now.computes(stage, input)) {
                int from = now.latestComputation(input, stage);
                boolean only = now.lastUse(input, stage - 1) < from || now.end(input, from) == stage;
                int gap = stage - Math.max(from, now.lastUse(input, stage - 1));
                if (only && gap > 1 && (willingness == 0 || random.nextInt(3) < willingness - 1)) {
                    add(stage, input);
                    makeInputs(stage, input, willingness);
                }
            }
        }
    }

    private boolean pick(int[] picked) {
        int from = random.nextInt(now.size());
        for (int i = 0; i < now.size(); i++) {
            int stage = from + i < now.size() ? from + i : from + i - now.size();
            int count = now.againCount(stage);
            if (count > 0) {
                picked[0] = stage;
                picked[1] = now.again(stage, random.nextInt(count));
                return true;
            }
        }
        return false;
    }

    /** A recomputation is taken back, and those that only it needed. */
    private void keepInstead() {
        int[] picked = new int[2];
        if (pick(picked)) {
            remove(picked[0], picked[1]);
            dropUseless(picked[0], picked[1], random.nextInt(4));
        }
    }

    private void dropUseless(int stage, int node, int willingness) {
        for (int input : now.inputs(node)) {
            int from = now.latestComputation(input, stage);
            if (from > input && now.computes(from, input)) {
                int use = now.nextUse(input, from);
                boolean useless = use >= now.nextComputation(input, from);
                if (useless || from == stage && willingness == 0) {
                    remove(from, input);
                    dropUseless(from, input, willingness);
                }
            }
        }
    }

    /** Recomputations of a stage go to another one: a single one, or all from one on. */
    private void shift() {
        int[] picked = new int[2];
        if (!pick(picked)) {
            return;
        }
        int stage = picked[0];
        int node = picked[1];
        int target;
        if (random.nextInt(3) == 0) {
            int from = now.nextUse(node, stage);
            target = from == stage ? now.nextUse(node, stage + 1) : from;
        } else {
            int width = 1 + random.nextInt(12);
            target = stage + (random.nextBoolean() ? width : -width);
        }
        if (target <= node || target >= now.size()) {
            return;
        }
        int all = random.nextInt(3);
        for (int position = now.againCount(stage) - 1; position >= 0; position--) {
            int each = now.again(stage, position);
            boolean chosen = all == 0 ? each == node : all == 1 ? each >= node : each <= node;
            if (chosen && each < target) {
                remove(stage, each);
                if (!now.computes(target, each)) {
                    add(target, each);
                }
            }
        }
    }
}
