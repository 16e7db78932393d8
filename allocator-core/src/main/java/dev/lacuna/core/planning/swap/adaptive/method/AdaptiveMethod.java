package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerProfile;

/** A rule that decides what each layer of a measured process keeps, swaps and recomputes. Stateless. */
public interface AdaptiveMethod {
    /** Stable name, as in tables and on the command line: lower case, words joined by hyphens. */
    String id();

    /**
     * The policy for a limit on what may be allocated at once, bytes, with what {@link StepSimulator} says of it. A plan
     * that does not fit is the leanest that the method has to offer.
     *
     * @param patience when it is over, the best so far is the answer
     */
    AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience);

    /** The same with all the time there is. */
    default AdaptivePlan plan(LayerProfile profile, long limitBytes) {
        return plan(profile, limitBytes, Patience.endless());
    }
}
