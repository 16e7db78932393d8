package dev.lacuna.ui.live;

import dev.lacuna.bridge.BridgeException;
import java.time.Instant;
import java.util.OptionalDouble;

/** How the last act of control went. */
public sealed interface ControlStatus {
    /** Nothing was asked yet. */
    record Idle() implements ControlStatus {}

    /** The operator or the agent has not answered yet. */
    record Pending(ControlJob job) implements ControlStatus {}

    /**
     * The agent has set it; blocks in use stay where they are, so the whole effect comes with the next step.
     *
     * @param job what was asked
     * @param at when the agent answered
     * @param step steps that had ended then
     * @param stepsAreMarked whether the trainer marks steps, so that its end can be seen
     * @param unreachedBytes reserved above the new cap that live blocks hold
     */
    record Applied(ControlJob job, Instant at, long step, boolean stepsAreMarked, long unreachedBytes)
            implements ControlStatus {}

    /** The step that was running when it was set has ended. */
    record InEffect(ControlJob job, Instant at) implements ControlStatus {}

    /**
     * The agent refused and changed nothing.
     *
     * @param job what was asked
     * @param code the protocol's word
     * @param text the agent's sentence
     * @param lowestSafe the lowest fraction that it would accept, where that is why
     */
    record Refused(ControlJob job, String code, String text, OptionalDouble lowestSafe) implements ControlStatus {
        /** Whether the operator may insist. */
        public boolean canForce() {
            return code.equals("would-fail");
        }
    }

    /**
     * There was no answer.
     *
     * @param job what was asked
     * @param reason why, where the bridge knows; its sentence is English and for the log
     */
    record Failed(ControlJob job, BridgeException.Reason reason) implements ControlStatus {}
}
