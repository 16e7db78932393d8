package dev.lacuna.core.planner;

import dev.lacuna.core.planner.PlanFailure.Reason;
import java.util.List;
import java.util.Optional;

/** One idea that stands for several kinds of profiles: the first of its homes that suits the profile plans. */
final class FirstSuited implements PlanningMethod {
    private final List<PlanningMethod> homes;

    /** @param homes methods of one id, at least one */
    FirstSuited(PlanningMethod... homes) {
        this.homes = List.of(homes);
    }

    @Override
    public String id() {
        return homes.get(0).id();
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return home(profile).unsuited(profile);
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort) {
        return home(profile).plan(profile, budgetBytes, effort);
    }

    private PlanningMethod home(PlanningProfile profile) {
        return homes.stream()
                .filter(home -> home.unsuited(profile).isEmpty())
                .findFirst()
                .orElse(homes.get(homes.size() - 1));
    }
}
