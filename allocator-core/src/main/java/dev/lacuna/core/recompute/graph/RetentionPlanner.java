package dev.lacuna.core.recompute.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lacuna's own planner for graphs: bounds from single moments of the step ({@link MomentBound}), and annealing over
 * recomputations ({@link RetentionSearch}) from several beginnings, ended as soon as the bound is met.
 */
public final class RetentionPlanner implements GraphPlanner {
    /** The search keeps a table of nodes by stages. */
    static final int MOST_NODES = 3_000;

    /** Share of the base cost that one move may lose at the beginning, by round, and at the end. */
    private static final double[] HOT = {1e-3, 2e-3, 5e-4};

    private static final double COLD = 1e-5;
    /** Coolings from other beginnings, then from the best one found. */
    private static final int BEGINNINGS = 6;

    private static final int CONTINUATIONS = 4;

    private final List<ExactGraphSolver> further;

    /** The planner, with what further solvers there are; each is asked in turn while nothing is proven. */
    public RetentionPlanner(List<ExactGraphSolver> further) {
        this.further = List.copyOf(further);
    }

    public RetentionPlanner() {
        this(List.of());
    }

    @Override
    public String name() {
        return "retention";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort) {
        Optional<GraphPlan> simple = simplest(graph, budgetBytes, effort);
        if (graph.largestWorkingSet() > budgetBytes
                || simple.isPresent() && simple.get().proven()) {
            return simple.map(plan -> named(plan, graph.baseCost()));
        }
        if (graph.size() > MOST_NODES) {
            return simple.map(plan -> named(plan, graph.baseCost()));
        }
        MomentBound bound = new MomentBound(graph, budgetBytes);
        long proven = bound.cost(Long.MAX_VALUE, 0);
        Optional<GraphPlan> best = cheaper(simple, search(graph, budgetBytes, effort, bound, proven));
        if (best.isPresent() && best.get().cost() > proven) {
            proven = Math.max(proven, bound.cost(best.get().cost(), effort.boundSteps()));
        }
        return askFurther(graph, budgetBytes, effort, best, proven);
    }

    private Optional<GraphPlan> simplest(GraphProfile graph, long budgetBytes, SolverEffort effort) {
        return Stream.of(new KeepAll(), new EveryNth(), new EvenBytes())
                .flatMap(each -> each.plan(graph, budgetBytes, effort).stream())
                .min(Comparator.comparingLong(GraphPlan::cost));
    }

    private GraphPlan named(GraphPlan plan, long lowerBoundCost) {
        return new GraphPlan(
                name(), plan.steps(), plan.cost(), plan.peakBytes(), Math.min(plan.cost(), lowerBoundCost));
    }

    private static Optional<GraphPlan> cheaper(Optional<GraphPlan> a, Optional<GraphPlan> b) {
        return Stream.concat(a.stream(), b.stream()).min(Comparator.comparingLong(GraphPlan::cost));
    }

    private Optional<GraphPlan> search(
            GraphProfile graph, long budgetBytes, SolverEffort effort, MomentBound bound, long proven) {
        List<long[]> beginnings = new ArrayList<>();
        beginnings.add(new long[0]);
        bound.schedules(effort.boundSteps()).forEach(each -> beginnings.add(each.recomputations()));
        Retention state = new Retention(graph);
        RetentionSearch search = new RetentionSearch(state, budgetBytes - graph.fixedBytes(), 1);
        double base = Math.max(1, graph.baseCost());
        double price = 0.03 * base / Math.max(1, graph.peakWithoutRecomputation());
        int rounds = BEGINNINGS + CONTINUATIONS;
        for (int round = 0; round < rounds && search.bestCost() > proven; round++) {
            boolean fresh = round < BEGINNINGS || search.bestCost() == Long.MAX_VALUE;
            search.startFrom(fresh ? beginnings.get(round % beginnings.size()) : search.best());
            double hot = base * HOT[round % HOT.length] / (fresh ? 1 : 2);
            search.anneal(effort.moves() / rounds, hot, base * COLD, price);
        }
        if (search.bestCost() == Long.MAX_VALUE) {
            return Optional.empty();
        }
        return Optional.of(GraphPlan.of(
                name(), graph, StageSchedule.of(graph, search.best()).steps(), graph.baseCost()));
    }

    private Optional<GraphPlan> askFurther(
            GraphProfile graph, long budgetBytes, SolverEffort effort, Optional<GraphPlan> found, long proven) {
        long lower = proven;
        Optional<GraphPlan> best = found;
        for (ExactGraphSolver solver : further) {
            if (best.isPresent() && best.get().cost() <= lower) {
                break;
            }
            long known = lower;
            ExactGraphSolver.Answer answer =
                    solver.solve(graph, budgetBytes, best.map(plan -> named(plan, known)), effort);
            lower = Math.max(lower, answer.lowerBoundCost());
            best = cheaper(
                    best,
                    answer.steps()
                            .map(steps -> GraphPlan.of(name(), graph, steps, graph.baseCost()))
                            .filter(plan -> plan.peakBytes() <= budgetBytes));
        }
        long bound = lower;
        return best.map(plan -> named(plan, bound));
    }
}
