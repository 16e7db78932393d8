package dev.lacuna.core.allocator.packing;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Makes the lowest plan it can: heuristics for any number of blocks, then exact search where there are few. Deterministic
 * unless the machine is so busy that the clock ends the search first.
 */
public final class Planner {
    /** Pairs of blocks that heuristics may compare: some seconds. */
    private static final long STEPS = 3_000_000_000L;

    /** Columns times blocks that one quick attempt of exact search may look at: a fraction of a second. */
    private static final long QUICK_WORK = 30_000_000L;

    /** The same for the one long attempt, at the bound: some seconds. */
    private static final long LONG_WORK = 1_000_000_000L;

    /** Whatever the machine is busy with, search ends that long after the start: a plan is to be had within ten seconds. */
    private static final long MILLIS = 8_000;

    /** How many times as long an attempt takes that is worth more, or comes when quick ones have failed. */
    private static final int PATIENCE = 5;

    /** How often the range between bound and best is halved, before and after the long attempt. */
    private static final int BISECTIONS = 5;

    /** What a further solver is given, once, where the own search left a question open; beyond the eight seconds. */
    private static final SearchBudget FURTHER = new SearchBudget(Long.MAX_VALUE, 10_000);

    private final ExactSolver solver;
    private final List<ExactSolver> further;
    private final long steps;

    /** A planner that searches with this solver. */
    public Planner(ExactSolver solver) {
        this(solver, STEPS);
    }

    /**
     * A planner that searches with this solver and asks the further ones, in turn and once, whether the blocks fit into the
     * capacity, or as low as the bound, where the search did not get there.
     */
    public Planner(ExactSolver solver, List<ExactSolver> further) {
        this(solver, further, STEPS);
    }

    /** A planner with Lacuna's own search, and the further solvers that the program around this library brings as services. */
    public static Planner installed() {
        return new Planner(
                new SkylineSolver(),
                ServiceLoader.load(ExactSolver.class, ExactSolver.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList());
    }

    Planner(ExactSolver solver, long steps) {
        this(solver, List.of(), steps);
    }

    private Planner(ExactSolver solver, List<ExactSolver> further, long steps) {
        this.solver = solver;
        this.further = List.copyOf(further);
        this.steps = steps;
    }

    /** No plan for these blocks is lower: the bytes alive at once at the worst moment. */
    public static long lowerBound(Lifetimes blocks) {
        return Cliques.maxLive(blocks);
    }

    /** A sound plan for these blocks, as low as it gets. */
    public Plan plan(Lifetimes blocks) {
        return plan(blocks, Long.MAX_VALUE);
    }

    /**
     * A sound plan for these blocks. To fit into the capacity comes first: a plan that does not, though one may, is searched for
     * until the clock ends the search.
     *
     * @param capacity bytes; {@link Long#MAX_VALUE} where none is known
     */
    public Plan plan(Lifetimes blocks, long capacity) {
        long deadline = System.nanoTime() + MILLIS * 1_000_000;
        Cliques cliques = new Cliques(blocks);
        long[] size = Arrays.stream(cliques.blocks).mapToLong(blocks::size).toArray();
        long bound = Cliques.maxLive(blocks);
        boolean small = size.length <= SkylineSolver.MOST_BLOCKS;
        // Where search follows, a short look at the heuristics is enough.
        long[] rows = new HeuristicPlanner(cliques, size, bound, small ? steps / 20 : steps).run();
        long[] offsets = new long[blocks.count()];
        for (int k = 0; k < rows.length; k++) {
            offsets[cliques.blocks[k]] = rows[k];
        }
        Plan plan = new Plan(blocks, offsets);
        if (!small || plan.height() == bound) {
            return plan;
        }
        long perNode = workPerNode(cliques);
        return askFurther(searched(plan, bound, capacity, perNode, deadline), bound, capacity);
    }

    private Plan askFurther(Plan found, long bound, long capacity) {
        long ceiling = found.height() > capacity && bound <= capacity ? capacity : bound;
        Plan best = found;
        for (ExactSolver each : further) {
            if (best.height() > ceiling) {
                best = each.solve(best.blocks(), ceiling, FURTHER).plan().orElse(best);
            }
        }
        return best;
    }

    private Plan searched(Plan plan, long bound, long capacity, long perNode, long deadline) {
        if (plan.height() <= capacity || bound > capacity) {
            return lower(plan, bound, perNode, deadline);
        }
        Plan within = attempt(plan, capacity, Long.MAX_VALUE, deadline);
        return within.height() > capacity
                ? halved(within, capacity, Math.max(1000, QUICK_WORK / perNode), deadline)
                : quickly(within, bound, perNode, deadline);
    }

    /** Besides the columns of its open blocks a node looks at each block and each column a few times. */
    private static long workPerNode(Cliques cliques) {
        long work = 8L * cliques.blocks.length + 4L * cliques.count;
        for (int k = 0; k < cliques.blocks.length; k++) {
            work += cliques.until[k] - cliques.from[k];
        }
        return work;
    }

    /** Tries the bound, then halves what is left, with little patience. */
    private Plan quickly(Plan plan, long bound, long perNode, long deadline) {
        long quick = Math.max(1000, QUICK_WORK / perNode);
        return halved(attempt(plan, bound, quick, deadline), bound, quick, deadline);
    }

    /**
     * A quick try, with which most plans end. Then the round capacity above it.
     * What is still above the bound gets one long try at it, since many tables fit their bound exactly, and is halved again.
     */
    private Plan lower(Plan heuristic, long bound, long perNode, long deadline) {
        long quick = Math.max(1000, QUICK_WORK / perNode);
        Plan best = quickly(heuristic, bound, perNode, deadline);
        if (best.height() > roundCapacity(bound)) {
            best = attempt(best, roundCapacity(bound), PATIENCE * quick, deadline);
        }
        if (best.height() > bound) {
            long half = System.nanoTime() + (deadline - System.nanoTime()) / 2;
            best = attempt(best, bound, Math.max(1000, LONG_WORK / perNode), half);
            best = halved(best, bound, PATIENCE * quick, deadline);
        }
        return best;
    }

    /** The next multiple of a quarter of a power of two: memories have such sizes, so to fit one is worth more than to come near. */
    private static long roundCapacity(long bound) {
        long step = Math.max(1, Long.highestOneBit(bound) / 4);
        return (bound + step - 1) / step * step;
    }

    private Plan halved(Plan plan, long bound, long nodes, long deadline) {
        Plan best = plan;
        long below = bound;
        for (int i = 0; i < BISECTIONS && below + 1 < best.height(); i++) {
            long capacity = below + (best.height() - below) / 2;
            Plan tried = attempt(best, capacity, nodes, deadline);
            if (tried.height() > capacity) {
                below = capacity;
            }
            best = tried;
        }
        return best;
    }

    /** A plan within the capacity, or the one there is. */
    private Plan attempt(Plan best, long capacity, long nodes, long deadline) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            return best;
        }
        return solver.solve(best.blocks(), capacity, new SearchBudget(nodes, millis))
                .plan()
                .orElse(best);
    }
}
