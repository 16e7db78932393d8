package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.selective.SelectivePlan;
import dev.lacuna.core.planning.selective.SelectiveRecompute;
import java.util.Optional;
import java.util.OptionalDouble;

/** MindSpeed's adaptive selective recomputation of modules inside layers. */
final class SelectiveMethod implements PlanningMethod {
    @Override
    public String id() {
        return "mindspeed-selective";
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return profile instanceof PlanningProfile.Modules ? Optional.empty() : Optional.of(Reason.MODULES_ONLY);
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        if (!(profile instanceof PlanningProfile.Modules modules)) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.MODULES_ONLY));
        }
        SelectivePlan plan = new SelectiveRecompute(modules.stage()).solve(budgetBytes / PlanningProfile.Modules.MIB);
        long peak = PlanningProfile.Modules.bytes(plan.deviceMb());
        if (peak > budgetBytes) {
            return new PlanPoint.Failed(
                    id(), budgetBytes, PlanFailure.of(Reason.OVER_BUDGET, Long.toString(peak - budgetBytes)));
        }
        double plain = modules.plainTime();
        double time = plain + plan.timeMs();
        return new PlanPoint.Planned(
                id(),
                budgetBytes,
                peak,
                time,
                plain > 0 ? time / plain : 1,
                OptionalDouble.empty(),
                plan.timeMs() == 0,
                false,
                new PlannedChoice.Selective(plan));
    }
}
