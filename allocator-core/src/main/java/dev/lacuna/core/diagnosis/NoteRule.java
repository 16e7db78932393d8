package dev.lacuna.core.diagnosis;

import java.util.Optional;

/** Finds something worth saying beside the verdict. Stateless. */
interface NoteRule {
    /** The finding, if there is one. */
    Optional<Finding> judge(Evidence evidence, Cause verdict);
}
