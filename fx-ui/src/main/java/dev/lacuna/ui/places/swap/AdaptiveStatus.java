package dev.lacuna.ui.places.swap;

import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;
import java.util.Optional;

/** How far the search for the fastest mix is. */
public sealed interface AdaptiveStatus {
    /** Nobody has asked. */
    record Idle() implements AdaptiveStatus {}

    /** The agent measures the next steps. */
    record Measuring() implements AdaptiveStatus {}

    /**
     * The methods plan.
     *
     * @param done how many have
     * @param all how many there are
     */
    record Planning(int done, int all) implements AdaptiveStatus {}

    /**
     * What came of it.
     *
     * @param profile what was measured
     * @param plans one per method, in the order of the registry
     * @param best the plan to propose: the fastest that fits
     */
    record Found(LayerProfile profile, List<AdaptivePlan> plans, Optional<AdaptivePlan> best)
            implements AdaptiveStatus {
        public Found {
            plans = List.copyOf(plans);
        }
    }

    /**
     * It came to nothing.
     *
     * @param key key of the sentence in the bundle
     * @param detail what goes into it: a word or a sentence of the agent or the bridge
     */
    record Failed(String key, String detail) implements AdaptiveStatus {}
}
