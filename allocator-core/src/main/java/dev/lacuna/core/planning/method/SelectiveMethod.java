package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.selective.SelectivePlan;
import dev.lacuna.core.planning.selective.SelectiveRecompute;
import java.util.Optional;
import java.util.OptionalDouble;

/** MindSpeed's adaptive selective recomputation of modules inside layers. */
final class SelectiveMethod extends MethodFor<PlanningProfile.Modules> {
    SelectiveMethod() {
        super("mindspeed-selective", Reason.MODULES_ONLY, false);
    }

    @Override
    Optional<PlanningProfile.Modules> read(PlanningProfile profile) {
        return profile instanceof PlanningProfile.Modules modules ? Optional.of(modules) : Optional.empty();
    }

    @Override
    PlanPoint plan(
            PlanningProfile.Modules modules,
            PlanningProfile profile,
            long budgetBytes,
            PlanningEffort effort,
            Patience patience) {
        SelectivePlan plan = new SelectiveRecompute(modules.stage()).solve(budgetBytes / PlanningProfile.Modules.MIB);
        long peak = PlanningProfile.Modules.bytes(plan.deviceMb());
        if (peak > budgetBytes) {
            return failed(budgetBytes, Reason.OVER_BUDGET, Long.toString(peak - budgetBytes));
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
