package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import java.util.Optional;
import java.util.OptionalDouble;

/** A method that decides for each measured layer whether it is kept, swapped or recomputed. */
final class LayersMethod implements PlanningMethod {
    private final String id;
    private final AdaptiveMethod method;

    LayersMethod(String id, AdaptiveMethod method) {
        this.id = id;
        this.method = method;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return profile.asLayers().isPresent() ? Optional.empty() : Optional.of(Reason.LAYERS_ONLY);
    }

    /** A search may take as much time as so many simple methods. */
    @Override
    public int share() {
        return AdaptiveMethods.searches(method) ? 10 : 1;
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        Optional<PlanningProfile.Layers> suited = profile.asLayers();
        if (suited.isEmpty()) {
            return new PlanPoint.Failed(id, budgetBytes, PlanFailure.of(Reason.LAYERS_ONLY));
        }
        PlanningProfile.Layers layers = suited.get();
        AdaptivePlan plan = method.plan(layers.measured(), budgetBytes, patience);
        if (!plan.fits() || plan.peakBytes() > budgetBytes) {
            return new PlanPoint.Failed(
                    id, budgetBytes, PlanFailure.of(patience.cut() ? Reason.OUT_OF_TIME : Reason.DOES_NOT_FIT));
        }
        double plain = Math.max(1, layers.plainTime());
        return new PlanPoint.Planned(
                id,
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
