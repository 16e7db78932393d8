package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
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
     * @param patience when it is over, the best so far is the answer
     */
    PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience);

    /** The same with all the time that the effort takes. */
    default PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort) {
        return plan(profile, budgetBytes, effort, Patience.endless());
    }

    /** How much of the time for all methods this one is given beside others: those that search get more. */
    default int share() {
        return 1;
    }

    /** Which method this is, for people: its name in the literature and what it does, in one line. */
    default String title(Locale locale) {
        return PlanFailure.WORDS.text(locale, "method." + id());
    }
}
