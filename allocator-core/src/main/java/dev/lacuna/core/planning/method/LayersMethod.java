package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import java.util.Optional;
import java.util.OptionalDouble;

/** A method that decides for each measured layer whether it is kept, swapped or recomputed. */
final class LayersMethod extends MethodFor<PlanningProfile.Layers> {
    private final AdaptiveMethod method;

    LayersMethod(AdaptiveMethod method) {
        super(method.id(), Reason.LAYERS_ONLY, AdaptiveMethods.searches(method));
        this.method = method;
    }

    @Override
    Optional<PlanningProfile.Layers> read(PlanningProfile profile) {
        return profile.asLayers();
    }

    @Override
    PlanPoint plan(
            PlanningProfile.Layers layers,
            PlanningProfile profile,
            long budgetBytes,
            PlanningEffort effort,
            Patience patience) {
        AdaptivePlan plan = method.plan(layers.measured(), budgetBytes, patience);
        if (!plan.fits() || plan.peakBytes() > budgetBytes) {
            return failed(budgetBytes, patience.cut() ? Reason.OUT_OF_TIME : Reason.DOES_NOT_FIT);
        }
        double plain = Math.max(1, layers.plainTime());
        return new PlanPoint.Planned(
                id(),
                budgetBytes,
                plan.peakBytes(),
                profile.kind() == PlanningProfile.Kind.LAYERS
                        ? plan.stepNs()
                        : plan.stepNs() / plain * profile.plainTime(),
                plan.stepNs() / plain,
                OptionalDouble.of(plan.boundNs() / plain),
                plan.proven(),
                patience.cut() && !plan.proven(),
                new PlannedChoice.Layers(plan));
    }
}
