package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.base.Patience;
import java.util.BitSet;
import java.util.PriorityQueue;

/**
 * Branch and bound on what one {@link RecomputeMoment} keeps, best bound first. The price of a byte that gives the highest bound
 * is searched where the branch begins; branches part on a value that cheaper and dearer bytes disagree about.
 */
final class MomentSearch {
    /** Prices tried at the root and at each branch. */
    private static final int ROOT_PRICES = 24;

    private static final int BRANCH_PRICES = 6;

    private final RecomputeMoment moment;
    private final double target;

    /** What is decided, and what follows from it. */
    private record Branch(
            BitSet mustKeep, BitSet mustDrop, double bound, double price, int parting, BitSet fitting, long number) {}

    private final PriorityQueue<Branch> open = new PriorityQueue<>(
            (a, b) -> a.bound != b.bound ? Double.compare(a.bound, b.bound) : Long.compare(b.number, a.number));
    private long branches;
    private BitSet fitting = new BitSet();
    private double closed = Double.POSITIVE_INFINITY;

    /** @param target cost of recomputation from which on a branch is of no interest */
    MomentSearch(RecomputeMoment moment, double target) {
        this.moment = moment;
        this.target = target;
        if (moment.room() >= 0) {
            Prices root = branch(new BitSet(), new BitSet(), 0, ROOT_PRICES);
            fitting = root.fitting;
        }
    }

    /** Positions that the best price keeps so that they fit; no promise that they are the best. */
    BitSet fitting() {
        return (BitSet) fitting.clone();
    }

    /** No schedule recomputes for less; infinite when none fits. Above the target it says no more than "at least that". */
    double bound() {
        return open.isEmpty() ? closed : Math.min(closed, open.peek().bound);
    }

    /** Follows the most promising branches; whether nothing is left to follow. */
    boolean search(long most, Patience patience) {
        for (long i = 0; i < most && !open.isEmpty() && !patience.isOver(); i++) {
            Branch branch = open.remove();
            if (branch.parting < 0) {
                // Keeping what the price keeps is best: its bound is its cost.
                closed = Math.min(closed, branch.bound);
                fitting = branch.fitting;
                open.clear();
                return true;
            }
            BitSet keep = (BitSet) branch.mustKeep.clone();
            keep.set(branch.parting);
            if (keep.stream().mapToLong(moment::bytes).sum() <= moment.room()) {
                branch(keep, branch.mustDrop, branch.price, BRANCH_PRICES);
            }
            BitSet drop = (BitSet) branch.mustDrop.clone();
            drop.set(branch.parting);
            branch(branch.mustKeep, drop, branch.price, BRANCH_PRICES);
        }
        return open.isEmpty();
    }

    private Prices branch(BitSet mustKeep, BitSet mustDrop, double price, int prices) {
        Prices search = new Prices(moment, mustKeep, mustDrop, price, prices);
        if (search.bound >= target) {
            closed = Math.min(closed, search.bound);
        } else {
            open.add(new Branch(
                    mustKeep, mustDrop, search.bound, search.bestPrice, search.parting, search.fitting, branches++));
        }
        return search;
    }

    /** The search for the price of a branch. */
    private static final class Prices {
        double bound;
        double bestPrice;
        int parting = -1;
        BitSet fitting = new BitSet();

        Prices(RecomputeMoment moment, BitSet mustKeep, BitSet mustDrop, double start, int tries) {
            RecomputeMoment.Priced free = moment.priced(0, mustKeep, mustDrop);
            bound = Math.max(0, free.value());
            if (free.keptBytes() <= moment.room()) {
                fitting = free.kept();
                return;
            }
            // Two lines of the concave function: too much kept on the left, enough dropped on the right.
            RecomputeMoment.Priced left = free;
            double leftPrice = 0;
            RecomputeMoment.Priced right = null;
            double rightPrice = Double.POSITIVE_INFINITY;
            double price = start > 0 ? start : moment.usualPrice() / 8;
            for (int i = 0; i < tries; i++) {
                RecomputeMoment.Priced here = moment.priced(price, mustKeep, mustDrop);
                if (here.value() > bound) {
                    bound = here.value();
                    bestPrice = price;
                }
                if (here.keptBytes() > moment.room()) {
                    left = here;
                    leftPrice = price;
                } else {
                    right = here;
                    fitting = here.kept();
                    rightPrice = price;
                }
                if (right == null) {
                    price *= 4;
                    continue;
                }
                // Where the two lines meet.
                double leftSlope = left.keptBytes() - moment.room();
                double rightSlope = right.keptBytes() - moment.room();
                double meet = (right.value() - left.value() + leftSlope * leftPrice - rightSlope * rightPrice)
                        / (leftSlope - rightSlope);
                if (!(meet > leftPrice * (1 + 1e-12)) || !(meet < rightPrice * (1 - 1e-12))) {
                    break;
                }
                price = meet;
            }
            parting = right == null ? mostBytes(moment, left.kept(), mustKeep) : parting(moment, left, right, mustKeep);
        }

        private static int parting(
                RecomputeMoment moment, RecomputeMoment.Priced left, RecomputeMoment.Priced right, BitSet mustKeep) {
            BitSet differ = (BitSet) left.kept().clone();
            differ.xor(right.kept());
            return mostBytes(moment, differ, mustKeep);
        }

        private static int mostBytes(RecomputeMoment moment, BitSet among, BitSet decided) {
            int most = -1;
            for (int i = among.nextSetBit(0); i >= 0; i = among.nextSetBit(i + 1)) {
                if (!decided.get(i) && (most < 0 || moment.bytes(i) > moment.bytes(most))) {
                    most = i;
                }
            }
            return most;
        }
    }
}
