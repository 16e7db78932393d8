package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import java.util.Optional;

/** Offers a remedy where it applies: the framework and its version know it, and nothing shows that it is on already. */
@FunctionalInterface
public interface RemedyOffer {
    /** The remedy for this failure, or nothing. */
    Optional<Remedy> offer(Evidence evidence);
}
