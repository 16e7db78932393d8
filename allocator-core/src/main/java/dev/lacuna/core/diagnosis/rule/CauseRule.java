package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import java.util.Optional;

/** Tests for one cause. Stateless. */
public interface CauseRule {
    /** The cause tested for. */
    Cause cause();

    /** The finding, if the cause holds. */
    Optional<Finding> judge(Evidence evidence);

    /** Whether the cause, when it holds beside a prior one, tells the reader something more. */
    default boolean addsTo(Cause verdict, Evidence evidence) {
        return true;
    }
}
