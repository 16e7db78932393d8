package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import java.util.Optional;

/** Finds something worth saying beside the verdict. Stateless. */
public interface NoteRule {
    /** The finding, if there is one. */
    Optional<Finding> judge(Evidence evidence, Cause verdict);
}
