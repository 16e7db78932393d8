package dev.lacuna.core.planner;

import dev.lacuna.core.planner.PlanFailure.Reason;
import java.util.Locale;
import java.util.Optional;

/** A way to plan. */
public interface PlanningMethod {
    /** Stable name, as on the command line. */
    String id();

    /** Why it cannot say anything about this profile; empty where it can. */
    Optional<Reason> unsuited(PlanningProfile profile);

    /**
     * What it finds under a budget; never throws for what the profile says.
     *
     * @param budgetBytes at least 0
     */
    PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort);

    /** Which method this is, for people: its name in the literature and what it does, in one line. */
    default String title(Locale locale) {
        return PlannerTexts.text(locale, "method." + id());
    }
}
