package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;

/** A policy that can be ticked. */
final class PolicyChoice {
    private static final Texts TEXTS = Texts.of("whatif");

    /** In the order of the chart's curve colours, so that a policy has the same colour on every machine and day. */
    private static final List<String> COLOURED = List.of("caching", "expandable", "lifetime", "segregated", "planned");

    private final AllocatorPolicy policy;
    private final BooleanProperty chosen;

    private PolicyChoice(AllocatorPolicy policy) {
        this.policy = policy;
        // What knows the future is a bound, and costs the memory of the whole trace: only for those who ask.
        chosen = new SimpleBooleanProperty(!policy.needsForesight());
    }

    /** Every policy there is. */
    static List<PolicyChoice> all() {
        return AllocatorPolicies.all().stream().map(PolicyChoice::new).toList();
    }

    AllocatorPolicy policy() {
        return policy;
    }

    String name() {
        return policy.name();
    }

    /** Whether it takes part. */
    BooleanProperty chosenProperty() {
        return chosen;
    }

    /** What it is, in one line; empty for one that has no words yet. */
    String explanation() {
        String key = "policy." + name();
        return TEXTS.has(key) ? TEXTS.get(key) : "";
    }

    /** The curve colour of a policy, from 0. */
    static int colourOf(String policy) {
        int index = COLOURED.indexOf(policy);
        return index < 0 ? COLOURED.size() : index;
    }
}
