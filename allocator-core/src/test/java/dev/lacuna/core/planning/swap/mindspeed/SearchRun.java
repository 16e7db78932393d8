package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.List;

/** A search against a device that runs out of memory above one budget; policies are alike within a granularity. */
record SearchRun(List<String> steps) {
    static SearchRun of(int deviceMb, int staticMb, int oomAboveMb, int granularityMb) {
        BudgetSearch<Integer> search = new BudgetSearch<>(deviceMb, staticMb, budget -> budget / granularityMb);
        List<String> steps = new ArrayList<>();
        try {
            while (!search.stable()) {
                boolean tooMuch = search.budgetMb() > oomAboveMb;
                steps.add(search.budgetMb() + (tooMuch ? " oom" : " ok") + (search.found() ? " found" : ""));
                search.stepEnded(tooMuch ? new StepOutcome(64L << 20, 1) : StepOutcome.FINE);
            }
        } catch (NoBudgetFitsException e) {
            steps.add("error " + e.getMessage());
        }
        return new SearchRun(List.copyOf(steps));
    }
}
