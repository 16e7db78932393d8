package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.ui.guard.GuardRefusal;
import java.time.Instant;
import java.util.Optional;

/** How the last act of control went. */
public sealed interface SwapStatus {
    /** Nothing was asked yet. */
    record Idle() implements SwapStatus {}

    /** The operator or the agent has not answered yet. */
    record Pending(SwapChange change, boolean undoing) implements SwapStatus {}

    /**
     * The agent has set it.
     *
     * @param change what holds since: what the agent said, which may be other than what was asked
     * @param undoing whether it took a change back
     * @param at when it answered
     * @param forced whether its guard was overridden: it may end the training
     */
    record Done(SwapChange change, boolean undoing, Instant at, boolean forced) implements SwapStatus {
        /** What its guard had nothing against. */
        public Done(SwapChange change, boolean undoing, Instant at) {
            this(change, undoing, at, false);
        }
    }

    /**
     * The agent refused and changed nothing.
     *
     * @param change what was asked
     * @param undoing whether that was to take a change back
     * @param code the protocol's word
     * @param text the agent's sentence
     * @param guard where its guard refused: the figures, and whether they still hold
     */
    record Refused(SwapChange change, boolean undoing, String code, String text, Optional<GuardRefusal> guard)
            implements SwapStatus {
        /** A refusal that is not the guard's. */
        public Refused(SwapChange change, String code, String text) {
            this(change, false, code, text, Optional.empty());
        }

        /** Whether the operator may insist. */
        public boolean canForce() {
            return guard.filter(GuardRefusal::holds).isPresent();
        }
    }

    /** There was no answer. */
    record Failed(SwapChange change, BridgeException.Reason reason) implements SwapStatus {}
}
