package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import java.util.List;
import java.util.Optional;

/**
 * One idea that stands for several kinds of profiles: the last of its homes that suits the profile plans.
 */
final class JoinedMethod implements PlanningMethod {
    private final List<PlanningMethod> homes;

    /** @param homes methods of one id, at least one */
    JoinedMethod(List<PlanningMethod> homes) {
        this.homes = List.copyOf(homes);
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
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        return home(profile).plan(profile, budgetBytes, effort, patience);
    }

    @Override
    public int share() {
        return homes.stream().mapToInt(PlanningMethod::share).max().orElse(1);
    }

    /**
     * The last one that suits: a measured layer is also a stage of a chain, which says less. Of a chain whose copies are
     * estimated it is the layers that say less: they take the micro-batches in flight for one.
     */
    private PlanningMethod home(PlanningProfile profile) {
        PlanningMethod suited = homes.get(0);
        boolean found = false;
        for (PlanningMethod home : homes) {
            boolean secondBest = found && profile.kind() == PlanningProfile.Kind.CHAIN && home instanceof LayersMethod;
            if (home.unsuited(profile).isEmpty() && !secondBest) {
                suited = home;
                found = true;
            }
        }
        return suited;
    }
}
