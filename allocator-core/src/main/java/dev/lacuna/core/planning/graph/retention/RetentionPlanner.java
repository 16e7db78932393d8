package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.checkpoint.EvenBytes;
import dev.lacuna.core.planning.graph.checkpoint.EveryNth;
import dev.lacuna.core.planning.graph.checkpoint.KeepAll;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.graph.model.StageSchedule;
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

    /** Up to so many the effort is taken at its word. */
    private static final int USUAL_NODES = 1_000;

    private static final int PRICE_ROUNDS = 300;

    private final List<ExactGraphSolver> further;

    /** The planner, with what further solvers there are; each is asked in turn while nothing is proven. */
    public RetentionPlanner(List<ExactGraphSolver> further) {
        this.further = List.copyOf(further);
    }

    public RetentionPlanner() {
        this(List.of());
    }

    @Override
    public String id() {
        return "retention";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        Optional<GraphPlan> simple = simplest(graph, budgetBytes, effort, patience);
        if (graph.largestWorkingSet() > budgetBytes
                || simple.isPresent() && simple.get().proven()) {
            return simple.map(plan -> named(plan, graph.baseCost()));
        }
        if (graph.size() > MOST_NODES) {
            return simple.map(plan -> named(plan, graph.baseCost()));
        }
        return searched(graph, budgetBytes, sized(effort, graph.size()), simple, patience);
    }

    /** A move, a cut and a moment take the longer the larger the graph is: of large ones there are fewer. */
    private static SolverEffort sized(SolverEffort effort, int nodes) {
        double share = Math.min(1, Math.pow((double) USUAL_NODES / nodes, 2));
        return new SolverEffort((long) (effort.moves() * share), (int) (effort.boundSteps() * share));
    }

    private Optional<GraphPlan> searched(
            GraphProfile graph, long budgetBytes, SolverEffort effort, Optional<GraphPlan> simple, Patience patience) {
        MomentBound bound = new MomentBound(graph, budgetBytes, patience);
        if (bound.isEmpty()) {
            return simple.map(plan -> named(plan, graph.baseCost()));
        }
        List<StageSchedule> kept = bound.schedules(effort.boundSteps(), patience);
        long proven = bound.cost();
        Optional<GraphPlan> best =
                cheaper(simple, search(graph, budgetBytes, effort, kept, bound.worstStage(), proven, patience));
        if (best.isPresent() && best.get().cost() > proven && !patience.isOver()) {
            proven = Math.max(proven, bound.cost(best.get().cost(), effort.boundSteps(), patience));
        }
        return askFurther(graph, budgetBytes, effort, best, proven, patience);
    }

    private Optional<GraphPlan> simplest(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        return Stream.of(new KeepAll(), new EveryNth(), new EvenBytes())
                .flatMap(each -> each.plan(graph, budgetBytes, effort, patience).stream())
                .min(Comparator.comparingLong(GraphPlan::cost));
    }

    private GraphPlan named(GraphPlan plan, long lowerBoundCost) {
        return plan.with(id(), lowerBoundCost, GraphPlan.OWN);
    }

    private static Optional<GraphPlan> cheaper(Optional<GraphPlan> a, Optional<GraphPlan> b) {
        return Stream.concat(a.stream(), b.stream()).min(Comparator.comparingLong(GraphPlan::cost));
    }

    private Optional<GraphPlan> search(
            GraphProfile graph,
            long budgetBytes,
            SolverEffort effort,
            List<StageSchedule> kept,
            int worstStage,
            long proven,
            Patience patience) {
        long limit = budgetBytes - graph.fixedBytes();
        List<long[]> beginnings = new ArrayList<>();
        beginnings.add(new long[0]);
        kept.forEach(each -> beginnings.add(each.recomputations()));
        PricedStages prices = new PricedStages(graph, limit, worstStage);
        int rounds = Math.max(20, Math.min(PRICE_ROUNDS, PRICE_ROUNDS * USUAL_NODES / graph.size()));
        beginnings.addAll(prices.beginnings(rounds, 1, patience));
        beginnings.addAll(prices.beginnings(rounds, 20, patience));
        return new RetentionTournament(graph, limit, proven)
                .run(beginnings, effort.moves(), patience)
                .map(recomputations -> GraphPlan.of(
                        id(), graph, StageSchedule.of(graph, recomputations).steps(), graph.baseCost()));
    }

    private Optional<GraphPlan> askFurther(
            GraphProfile graph,
            long budgetBytes,
            SolverEffort effort,
            Optional<GraphPlan> found,
            long proven,
            Patience patience) {
        long lower = proven;
        String boundBy = GraphPlan.OWN;
        Optional<GraphPlan> best = found;
        for (ExactGraphSolver solver : further) {
            if (best.isPresent() && best.get().cost() <= lower || patience.isOver()) {
                break;
            }
            long known = lower;
            ExactGraphSolver.Answer answer =
                    solver.solve(graph, budgetBytes, best.map(plan -> named(plan, known)), effort, patience);
            if (answer.lowerBoundCost() > lower) {
                lower = answer.lowerBoundCost();
                boundBy = solver.name();
            }
            best = cheaper(
                    best,
                    answer.steps()
                            .map(steps -> GraphPlan.of(id(), graph, steps, graph.baseCost())
                                    .foundBy(solver.name()))
                            .filter(plan -> plan.peakBytes() <= budgetBytes));
        }
        long bound = lower;
        String prover = boundBy;
        return best.map(plan -> plan.with(id(), bound, prover));
    }
}
