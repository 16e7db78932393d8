package dev.lacuna.ui.swap;

import dev.lacuna.bridge.BridgeException;
import java.time.Instant;

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
     */
    record Done(SwapChange change, boolean undoing, Instant at) implements SwapStatus {}

    /** The agent refused and changed nothing. */
    record Refused(SwapChange change, String code, String text) implements SwapStatus {}

    /** There was no answer. */
    record Failed(SwapChange change, BridgeException.Reason reason) implements SwapStatus {}
}
