package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplayTimeline;
import java.util.List;
import java.util.Optional;

/**
 * One policy's replay: its figures, its curve, and how far the search for its smallest capacity is.
 *
 * @param outcome the figures
 * @param timeline the curve; nobody changes it any more
 * @param search whether the smallest capacity was asked for and found
 */
record PolicyRun(PolicyOutcome outcome, ReplayTimeline timeline, Search search) {
    /** How far the search for the smallest capacity is. */
    enum Search {
        /** Nobody asked. */
        NOT_ASKED,
        /** It is being looked for. */
        RUNNING,
        /** It was found, or there is none. */
        DONE
    }

    static PolicyRun of(ReplayResult result, boolean foresight, ReplayTimeline timeline) {
        return new PolicyRun(new PolicyOutcome(result, Optional.empty(), foresight), timeline, Search.NOT_ASKED);
    }

    String policy() {
        return outcome.result().policy();
    }

    /** The same while its smallest capacity is looked for. */
    PolicyRun searching(Search now) {
        return new PolicyRun(outcome, timeline, now);
    }

    /** The same with what one of these runs of the same trace found its policy to need. */
    PolicyRun knowing(List<PolicyRun> earlier) {
        return earlier.stream()
                .filter(run -> run.policy().equals(policy()))
                .flatMap(run -> run.outcome().need().stream())
                .findFirst()
                .map(this::found)
                .orElse(this);
    }

    /** The same with what it needs to finish. */
    PolicyRun found(CardNeed need) {
        return new PolicyRun(
                new PolicyOutcome(outcome.result(), Optional.of(need), outcome.foresight()), timeline, Search.DONE);
    }
}
