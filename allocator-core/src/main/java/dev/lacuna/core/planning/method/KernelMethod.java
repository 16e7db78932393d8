package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.swap.kernel.SwapMethod;
import dev.lacuna.core.planning.swap.kernel.SwapPlanner;
import dev.lacuna.core.planning.swap.kernel.SwapRun;
import java.util.Optional;
import java.util.OptionalDouble;

/** A way to swap a step of which every kernel is known. */
final class KernelMethod extends MethodFor<PlanningProfile.Kernels> {
    private final SwapMethod method;

    KernelMethod(SwapMethod method) {
        super(method.id(), Reason.KERNELS_ONLY, false);
        this.method = method;
    }

    @Override
    Optional<PlanningProfile.Kernels> read(PlanningProfile profile) {
        return profile instanceof PlanningProfile.Kernels kernels ? Optional.of(kernels) : Optional.empty();
    }

    @Override
    PlanPoint plan(
            PlanningProfile.Kernels kernels,
            PlanningProfile profile,
            long budgetBytes,
            PlanningEffort effort,
            Patience patience) {
        if (patience.isOver()) {
            return failed(budgetBytes, Reason.OUT_OF_TIME);
        }
        if (budgetBytes < profile.leastBytes()) {
            return failed(budgetBytes, Reason.DOES_NOT_FIT);
        }
        SwapPlanner planner = new SwapPlanner(kernels.trace(), kernels.machine().withDevice(budgetBytes));
        Optional<SwapRun> run = planner.plan(method);
        if (run.isEmpty()) {
            return failed(budgetBytes, Reason.DOES_NOT_FIT);
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
