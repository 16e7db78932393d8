package dev.lacuna.core.plan;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Exact search in pure Java: {@link SkylineTree} restarted with growing budgets over a portfolio of orders (area, length, size,
 * contention) and valley rules, shuffled from the fourth round on. Deterministic as long as nodes, not the clock, end it.
 */
public final class SkylineSolver implements ExactSolver {
    /** Most blocks that are tried; the search has no hope, and the stack no room, far beyond. */
    public static final int MOST_BLOCKS = 1500;

    private static final int ORDERS = 4;
    private static final int ROUND = ORDERS * ValleyRule.values().length;
    private static final long FIRST_BUDGET = 1000;
    private static final double GROWTH = 1.3;
    private static final double SHUFFLE = 0.3;
    private static final long STACK_BYTES = 128L << 20;

    @Override
    public Answer solve(Lifetimes blocks, long capacity, SearchBudget budget) {
        if (Cliques.maxLive(blocks) > capacity) {
            return new Answer(Verdict.IMPOSSIBLE, Optional.empty(), 0);
        }
        Cliques cliques = new Cliques(blocks);
        long unit = unit(blocks);
        if (cliques.blocks.length > MOST_BLOCKS || capacity / unit > Integer.MAX_VALUE / 2) {
            return new Answer(Verdict.UNDECIDED, Optional.empty(), 0);
        }
        return withDeepStack(() -> search(blocks, cliques, unit, capacity, budget));
    }

    private static Answer search(Lifetimes blocks, Cliques cliques, long unit, long capacity, SearchBudget budget) {
        int[] size = new int[cliques.blocks.length];
        for (int k = 0; k < size.length; k++) {
            size[k] = (int) (blocks.size(cliques.blocks[k]) / unit);
        }
        SkylineTree tree = new SkylineTree(cliques, size, (int) (capacity / unit));
        long millis = Math.min(budget.millis(), Long.MAX_VALUE / 4_000_000);
        long deadline = System.nanoTime() + millis * 1_000_000;
        Random random = new Random(size.length);
        double runBudget = FIRST_BUDGET;
        for (int run = 0; tree.nodes() < budget.nodes() && System.nanoTime() - deadline < 0; run++) {
            ValleyRule rule = ValleyRule.values()[run / ORDERS % ValleyRule.values().length];
            double[] priority = priority(cliques, size, run % ORDERS, run < ROUND ? 0 : SHUFFLE, random);
            long nodes = Math.min((long) runBudget, budget.nodes() - tree.nodes());
            Verdict verdict = tree.run(priority, rule, nodes, deadline);
            if (verdict == Verdict.FITS) {
                return new Answer(verdict, Optional.of(plan(blocks, cliques, tree, unit)), tree.nodes());
            }
            if (verdict == Verdict.IMPOSSIBLE) {
                return new Answer(verdict, Optional.empty(), tree.nodes());
            }
            runBudget *= run % ROUND == ROUND - 1 ? GROWTH : 1;
        }
        return new Answer(Verdict.UNDECIDED, Optional.empty(), tree.nodes());
    }

    private static double[] priority(Cliques cliques, int[] size, int order, double shuffle, Random random) {
        double[] priority = new double[size.length];
        for (int k = 0; k < size.length; k++) {
            double length = cliques.until[k] - cliques.from[k];
            double value = switch (order) {
                case 0 -> length * size[k];
                case 1 -> length * 1e6 + size[k];
                case 2 -> size[k] * 1e3 + length;
                default -> length * Math.sqrt(size[k]);
            };
            priority[k] = value * Math.exp(shuffle * random.nextGaussian());
        }
        return priority;
    }

    private static Plan plan(Lifetimes blocks, Cliques cliques, SkylineTree tree, long unit) {
        long[] offsets = new long[blocks.count()];
        for (int k = 0; k < cliques.blocks.length; k++) {
            offsets[cliques.blocks[k]] = tree.offset(k) * unit;
        }
        return new Plan(blocks, offsets);
    }

    /** The greatest common divisor of the sizes: offsets need be no finer. */
    private static long unit(Lifetimes blocks) {
        long unit = 0;
        for (int i = 0; i < blocks.count(); i++) {
            long rest = blocks.needsRoom(i) ? blocks.size(i) : 0;
            while (rest != 0) {
                long next = unit % rest;
                unit = rest;
                rest = next;
            }
        }
        return Math.max(1, unit);
    }

    /** The recursion is as deep as there are blocks, and deeper where floors are wasted. */
    private static Answer withDeepStack(Supplier<Answer> search) {
        AtomicReference<Answer> answer = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> answer.set(search.get()), "plan-search", STACK_BYTES);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while planning", e);
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the search failed", failure.get());
        }
        return answer.get();
    }
}
