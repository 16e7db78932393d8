package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.ui.guard.GuardRefusal;
import java.time.Instant;
import java.util.Optional;

/** How the last act of control went. */
public sealed interface ControlStatus {
    /** Whether it was set, but may end the training or does not reach all that was asked: no success to be shown as one. */
    default boolean warns() {
        if (this instanceof Applied applied) {
            return applied.job().change().force() || applied.unreachedBytes() > 0;
        }
        return this instanceof InEffect done && (done.job().change().force() || done.unreachedBytes() > 0);
    }

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

    /**
     * The step that was running when it was set has ended.
     *
     * @param job what was asked
     * @param at when the agent answered
     * @param unreachedBytes what live blocks still hold above the cap
     */
    record InEffect(ControlJob job, Instant at, long unreachedBytes) implements ControlStatus {}

    /**
     * The agent refused and changed nothing.
     *
     * @param job what was asked
     * @param code the protocol's word
     * @param text the agent's sentence
     * @param guard where its guard refused: the figures, and whether they still hold
     */
    record Refused(ControlJob job, String code, String text, Optional<GuardRefusal> guard) implements ControlStatus {
        /** Whether the operator may insist. */
        public boolean canForce() {
            return guard.filter(GuardRefusal::holds).isPresent();
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
