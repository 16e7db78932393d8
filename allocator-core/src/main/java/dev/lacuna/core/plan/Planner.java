package dev.lacuna.core.plan;

import java.util.Arrays;

/** Makes the lowest plan it can: heuristics for any number of blocks, then exact search where there are few. Deterministic. */
public final class Planner {
    /** Pairs of blocks that heuristics may compare: some seconds. */
    private static final long STEPS = 3_000_000_000L;

    /** Columns times blocks that exact search may look at in all: some seconds. */
    private static final long SEARCH_WORK = 1_000_000_000L;

    /** How often the range between bound and best is halved. */
    private static final int BISECTIONS = 5;

    private final ExactSolver solver;
    private final long steps;

    /** A planner that searches with this solver. */
    public Planner(ExactSolver solver) {
        this(solver, STEPS);
    }

    Planner(ExactSolver solver, long steps) {
        this.solver = solver;
        this.steps = steps;
    }

    /** No plan for these blocks is lower: the bytes alive at once at the worst moment. */
    public static long lowerBound(Lifetimes blocks) {
        return Cliques.maxLive(blocks);
    }

    /** A sound plan for these blocks. */
    public Plan plan(Lifetimes blocks) {
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
        return small && plan.height() > bound ? lower(plan, bound, cliques) : plan;
    }

    /** Tries the bound itself first, then halves what is left between the two. */
    private Plan lower(Plan heuristic, long bound, Cliques cliques) {
        long perNode = 1;
        for (int k = 0; k < cliques.blocks.length; k++) {
            perNode += cliques.until[k] - cliques.from[k];
        }
        SearchBudget budget = SearchBudget.ofNodes(Math.max(1000, SEARCH_WORK / perNode / BISECTIONS));
        Plan best = heuristic;
        long below = bound - 1;
        long capacity = bound;
        for (int i = 0; i <= BISECTIONS && below + 1 < best.height(); i++) {
            var answer = solver.solve(heuristic.blocks(), capacity, budget);
            if (answer.plan().isPresent()) {
                best = answer.plan().get();
            } else {
                below = capacity;
            }
            capacity = below + (best.height() - below) / 2;
        }
        return best;
    }
}
