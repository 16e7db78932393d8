package dev.lacuna.core.diagnosis;

import java.util.Optional;

/** Offers a remedy where it applies: the framework and its version know it, and nothing shows that it is on already. */
@FunctionalInterface
interface RemedyOffer {
    /** The remedy for this failure, or nothing. */
    Optional<Remedy> offer(Evidence evidence);
}
