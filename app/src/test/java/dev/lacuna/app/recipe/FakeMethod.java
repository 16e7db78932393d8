package dev.lacuna.app.recipe;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What somebody writes who adds a planning method, here one that finds nothing: this file, and its words. */
public final class FakeMethod implements PlanningMethod {
    private static final String ID = "fake-method";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public Optional<PlanFailure.Reason> unsuited(PlanningProfile profile) {
        return Optional.empty();
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        return new PlanPoint.Failed(ID, budgetBytes, new PlanFailure(PlanFailure.Reason.UNDECIDED, List.of()));
    }

    @Override
    public String title(Locale locale) {
        return "Fake";
    }
}
