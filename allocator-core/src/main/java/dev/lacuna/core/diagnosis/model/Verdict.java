package dev.lacuna.core.diagnosis.model;

import java.util.List;

/**
 * A report whose cause is known: what notes are made of.
 *
 * @param evidence what is known of it
 * @param cause the first cause that holds
 * @param also further causes that hold
 */
public record Verdict(Evidence evidence, Cause cause, List<Cause> also) {
    public Verdict {
        also = List.copyOf(also);
    }
}
