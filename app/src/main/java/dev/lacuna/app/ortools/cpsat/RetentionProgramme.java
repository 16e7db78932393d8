package dev.lacuna.app.ortools.cpsat;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import java.util.Optional;

/**
 * Optimal recomputation in stages by CP-SAT ({@link RetentionModel}). Unlike Lacuna's own search it is ended by the clock, so what it
 * finds depends on the machine; its bound holds for schedules in stages.
 */
public final class RetentionProgramme implements ExactGraphSolver {
    /** {@link SolverEffort#QUICK} is 2 s, USUAL 20 s, THOROUGH 400 s. */
    private static final double MOVES_PER_SECOND = 100_000;

    /** Some 60 bytes a term, here and in native memory. */
    private static final long MOST_TERMS = 6_000_000;

    private final long mostTerms;

    /** A solver; OR-Tools must be at hand. */
    public RetentionProgramme() {
        this(MOST_TERMS);
    }

    RetentionProgramme(long mostTerms) {
        this.mostTerms = mostTerms;
    }

    @Override
    public String name() {
        return "or-tools";
    }

    private static double seconds(SolverEffort effort, Patience patience) {
        double usual = effort.moves() / MOVES_PER_SECOND;
        return patience.leftNs().isPresent() ? Math.min(usual, patience.leftNs().getAsLong() / 1e9) : usual;
    }

    @Override
    public Answer solve(
            GraphProfile graph, long budgetBytes, Optional<GraphPlan> known, SolverEffort effort, Patience patience) {
        long base = graph.baseCost();
        if (effort.moves() == 0
                || graph.largestWorkingSet() > budgetBytes
                || Thread.currentThread().isInterrupted()) {
            return nothing(base);
        }
        RetentionModel model;
        try {
            model = new RetentionModel(
                    graph,
                    budgetBytes,
                    known.map(plan -> plan.lowerBoundCost() - base).orElse(0L),
                    known.map(plan -> plan.cost() - base).orElse(GraphProfile.MOST_COST),
                    mostTerms);
        } catch (RetentionModel.TooLargeException e) {
            return nothing(base);
        }
        known.ifPresent(plan -> model.hint(plan.steps()));
        CpSat run = CpSat.solve(model.model(), seconds(effort, patience));
        return switch (run.status()) {
            case OPTIMAL, FEASIBLE -> new Answer(bound(base, run), Optional.of(model.steps(run.solution())));
            case UNKNOWN -> new Answer(bound(base, run), Optional.empty());
            // Without a known plan: there is none in stages. With one, which is a solution, it cannot be.
            case INFEASIBLE, MODEL_INVALID, UNRECOGNIZED -> nothing(base);
        };
    }

    /** The whole number behind the bound: as a double it is rounded. */
    private static long bound(long base, CpSat run) {
        return base + Math.max(0, run.solution().response().getInnerObjectiveLowerBound());
    }

    private static Answer nothing(long base) {
        return new Answer(base, Optional.empty());
    }
}
