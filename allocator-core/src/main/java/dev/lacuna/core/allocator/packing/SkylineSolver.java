package dev.lacuna.core.allocator.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Exact search in pure Java: {@link SkylineTree} restarted with growing budgets over a portfolio of orders (area, length, size,
 * contention) and valley rules, shuffled after the first round. Each run is made twice, side by side: with time as it is and with
 * time reversed, where ties fall differently. Both are always seen to their end, so the answer is deterministic as long as nodes, not
 * the clock, end the search. Stretches of time that share no block are searched apart.
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
        int[] size = new int[cliques.blocks.length];
        for (int k = 0; k < size.length; k++) {
            size[k] = (int) (blocks.size(cliques.blocks[k]) / unit);
        }
        long millis = Math.min(budget.millis(), Long.MAX_VALUE / 4_000_000);
        long deadline = System.nanoTime() + millis * 1_000_000;
        int ceiling = (int) (capacity / unit);
        ExecutorService threads = Executors.newFixedThreadPool(2, SkylineSolver::deepThread);
        try {
            return search(blocks, Stretch.of(cliques, size), ceiling, unit, budget.nodes(), deadline, threads);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Answer search(
            Lifetimes blocks,
            List<Stretch> stretches,
            int ceiling,
            long unit,
            long mostNodes,
            long deadline,
            ExecutorService threads) {
        long[] offsets = new long[blocks.count()];
        long nodes = 0;
        for (Stretch stretch : stretches) {
            Race race = new Race(stretch, ceiling, deadline, threads);
            Verdict verdict = race.run(Math.max(1, mostNodes - nodes));
            nodes += race.nodes();
            if (verdict != Verdict.FITS) {
                return new Answer(verdict, Optional.empty(), nodes);
            }
            for (int k = 0; k < stretch.blocks().length; k++) {
                offsets[stretch.blocks()[k]] = race.offset(k) * unit;
            }
        }
        return new Answer(Verdict.FITS, Optional.of(new Plan(blocks, offsets)), nodes);
    }

    /** The runs over one stretch, in both directions of time. */
    private static final class Race {
        private final Stretch[] directions;
        private final SkylineTree[] trees;
        private final Random[] randoms;
        private final long deadline;
        private final ExecutorService threads;
        private int winner;

        Race(Stretch stretch, int ceiling, long deadline, ExecutorService threads) {
            this.deadline = deadline;
            this.threads = threads;
            directions = new Stretch[] {stretch, stretch.reversed()};
            trees = new SkylineTree[directions.length];
            randoms = new Random[directions.length];
            for (int i = 0; i < directions.length; i++) {
                trees[i] = new SkylineTree(directions[i], ceiling);
                randoms[i] = new Random(31L * stretch.blocks().length + i);
            }
        }

        Verdict run(long mostNodes) {
            double runBudget = FIRST_BUDGET;
            for (int run = 0; nodes() < mostNodes && System.nanoTime() - deadline < 0; run++) {
                long left = mostNodes - nodes();
                // A small budget is spent in one direction first.
                int sides = left <= runBudget ? 1 : directions.length;
                List<Verdict> verdicts = bothWays(run, sides, Math.min((long) runBudget, Math.max(1, left / sides)));
                if (verdicts.contains(Verdict.FITS)) {
                    winner = verdicts.indexOf(Verdict.FITS);
                    return Verdict.FITS;
                }
                if (verdicts.contains(Verdict.IMPOSSIBLE)) {
                    return Verdict.IMPOSSIBLE;
                }
                runBudget *= run % ROUND == ROUND - 1 ? GROWTH : 1;
            }
            return Verdict.UNDECIDED;
        }

        long nodes() {
            return trees[0].nodes() + trees[1].nodes();
        }

        int offset(int k) {
            return trees[winner].offset(k);
        }

        private List<Verdict> bothWays(int run, int sides, long budget) {
            ValleyRule rule = ValleyRule.values()[run / ORDERS % ValleyRule.values().length];
            List<Callable<Verdict>> runs = new ArrayList<>();
            for (int i = 0; i < sides; i++) {
                SkylineTree tree = trees[i];
                double[] priority = priority(directions[i], run % ORDERS, run < ROUND ? 0 : SHUFFLE, randoms[i]);
                runs.add(() -> tree.run(priority, rule, budget, deadline));
            }
            try {
                List<Verdict> verdicts = new ArrayList<>();
                for (Future<Verdict> ended : threads.invokeAll(runs)) {
                    verdicts.add(ended.get());
                }
                return verdicts;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while planning", e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("the search failed", e.getCause());
            }
        }
    }

    private static double[] priority(Stretch stretch, int order, double shuffle, Random random) {
        int[] size = stretch.size();
        double[] priority = new double[size.length];
        for (int k = 0; k < size.length; k++) {
            double length = stretch.until()[k] - stretch.from()[k];
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
    private static Thread deepThread(Runnable work) {
        Thread thread = new Thread(null, work, "plan-search", STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }
}
