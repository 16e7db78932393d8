package dev.lacuna.ui.swap;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.memory.SwapMode;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.core.swap.layer.LayerProfile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What this place asks of the attached process's agent. Every call waits for an answer and is made off the UI thread; each
 * throws what {@link dev.lacuna.bridge.AttachedProcess} throws, and {@link RefusedException} when the agent says no.
 */
public interface SwapAgent {
    /**
     * What the agent says of its swapping.
     *
     * @param known whether it has the verbs: older agents do not
     * @param numaNode the node on which the host's memory is taken; empty where the machine tells none
     */
    record Facts(boolean known, OptionalInt numaNode) {}

    /**
     * What holds after a change.
     *
     * @param mode what may leave
     * @param budgetBytes the most that the host may hold
     */
    record Holds(SwapMode mode, long budgetBytes) {}

    /**
     * The layers of a device.
     *
     * @param layers in the agent's order
     * @param policy whether a policy is in force
     */
    record Layers(List<LayerPlaces> layers, boolean policy) {
        public Layers {
            layers = List.copyOf(layers);
        }

        /** The letters in force; empty where nothing is told. */
        public Optional<LayerPolicy> policyInForce() {
            return policy && layers.stream().allMatch(layer -> layer.asked().isPresent())
                    ? Optional.of(new LayerPolicy(
                            layers.stream().flatMap(l -> l.asked().stream()).toList()))
                    : Optional.empty();
        }
    }

    /** A measurement, or that it still runs. */
    record Measured(LayerProfile profile, boolean measuring) {}

    /** The agent refused and changed nothing. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String code;

        /**
         * @param code the protocol's word
         * @param text the agent's sentence
         */
        public RefusedException(String code, String text) {
            super(text);
            this.code = code;
        }

        /** The protocol's word. */
        public String code() {
            return code;
        }
    }

    /** What it says of itself; asks nothing else. */
    Facts facts(int device) throws BridgeException;

    /** Where the layers' bytes are; empty before the first forward under swapping. */
    Layers layers(int device) throws BridgeException, RefusedException;

    /** The layers' times and bytes; with {@code fresh} the next steps are measured anew. */
    Measured profile(int device, boolean fresh) throws BridgeException, RefusedException;

    /** Sets what is present. */
    Holds set(int device, Optional<SwapMode> mode, OptionalLong budgetBytes) throws BridgeException, RefusedException;

    /** Tells the layers what to do from the next forward on; empty takes every word back. */
    void policy(int device, Optional<LayerPolicy> policy) throws BridgeException, RefusedException;
}
