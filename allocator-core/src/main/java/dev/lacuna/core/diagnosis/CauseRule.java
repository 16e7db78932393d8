package dev.lacuna.core.diagnosis;

import java.util.Optional;

/** Tests for one cause. Stateless. */
interface CauseRule {
    /** The cause tested for. */
    Cause cause();

    /** The finding, if the cause holds. */
    Optional<Finding> judge(Evidence evidence);

    /** Whether the cause, when it holds beside a prior one, tells the reader something more. */
    default boolean addsTo(Cause verdict, Evidence evidence) {
        return true;
    }
}
