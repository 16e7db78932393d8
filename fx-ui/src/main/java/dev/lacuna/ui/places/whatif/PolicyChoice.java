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

    /** The chart has six; whatever comes behind them shares the last. */
    private static final int LAST_COLOUR = 5;

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

    /** The curve colour of a policy, from 0: in their order, so that a policy has the same colour on every machine and day. */
    static int colourOf(String policy) {
        List<AllocatorPolicy> all = AllocatorPolicies.all();
        int index =
                (int) all.stream().takeWhile(one -> !one.name().equals(policy)).count();
        return Math.min(index, LAST_COLOUR);
    }
}
