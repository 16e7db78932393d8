package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import java.util.Optional;

/** A method for one kind of profile, which says so of others. */
abstract class MethodFor<P> implements PlanningMethod {
    /** A search may take as much time as so many simple methods. */
    static final int SEARCHER = 10;

    private final String id;
    private final Reason otherwise;
    private final int share;

    /** @param otherwise why it can say nothing about other profiles */
    MethodFor(String id, Reason otherwise, boolean searches) {
        this.id = id;
        this.otherwise = otherwise;
        this.share = searches ? SEARCHER : 1;
    }

    /** The profile as this method reads it; empty where it cannot be read so. */
    abstract Optional<P> read(PlanningProfile profile);

    /** What it finds for a profile that it can read. */
    abstract PlanPoint plan(
            P read, PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience);

    @Override
    public final String id() {
        return id;
    }

    @Override
    public final int share() {
        return share;
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return read(profile).isPresent() ? Optional.empty() : Optional.of(otherwise);
    }

    @Override
    public final PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        return unsuited(profile)
                .map(reason -> failed(budgetBytes, reason))
                .orElseGet(() -> plan(read(profile).orElseThrow(), profile, budgetBytes, effort, patience));
    }

    final PlanPoint failed(long budgetBytes, Reason reason, String... arguments) {
        return new PlanPoint.Failed(id, budgetBytes, PlanFailure.of(reason, arguments));
    }
}
