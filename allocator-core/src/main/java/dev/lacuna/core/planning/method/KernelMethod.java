package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.swap.kernel.SwapMethod;
import dev.lacuna.core.planning.swap.kernel.SwapPlanner;
import dev.lacuna.core.planning.swap.kernel.SwapRun;
import java.util.Optional;
import java.util.OptionalDouble;

/** A way to swap a step of which every kernel is known. */
final class KernelMethod implements PlanningMethod {
    private final SwapMethod method;

    KernelMethod(SwapMethod method) {
        this.method = method;
    }

    @Override
    public String id() {
        return method.id();
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return profile instanceof PlanningProfile.Kernels ? Optional.empty() : Optional.of(Reason.KERNELS_ONLY);
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        if (!(profile instanceof PlanningProfile.Kernels kernels)) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.KERNELS_ONLY));
        }
        if (patience.isOver()) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.OUT_OF_TIME));
        }
        if (budgetBytes < profile.leastBytes()) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.DOES_NOT_FIT));
        }
        SwapPlanner planner = new SwapPlanner(kernels.trace(), kernels.machine().withDevice(budgetBytes));
        Optional<SwapRun> run = planner.plan(method);
        if (run.isEmpty()) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.DOES_NOT_FIT));
        }
        double ideal = Math.max(1, run.get().idealCycles());
        double overhead = run.get().settledCycles() / ideal;
        double least = Math.min(overhead, planner.leastCycles() / ideal);
        return new PlanPoint.Planned(
                id(),
                budgetBytes,
                Math.min(run.get().peakBytes(), budgetBytes),
                overhead * profile.plainTime(),
                overhead,
                OptionalDouble.of(least),
                overhead <= least,
                false,
                new PlannedChoice.Kernels(run.get()));
    }
}
