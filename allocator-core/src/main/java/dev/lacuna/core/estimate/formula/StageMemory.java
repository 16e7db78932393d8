package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.term.Term;
import java.util.List;

/**
 * What a rank of one pipeline stage needs.
 *
 * @param stage from 0
 * @param layers indices of its layers, of all its model chunks
 * @param flight micro-batches whose activations it keeps at once
 * @param parameters what it holds
 * @param memory the peak: states, activations, loss, overhead
 * @param host activations swapped out to the host at the peak
 */
public record StageMemory(int stage, List<Integer> layers, Term flight, Term parameters, Term memory, Term host) {
    public StageMemory {
        layers = List.copyOf(layers);
    }

    /** Micro-batches whose activations it keeps at once. */
    public double inFlight() {
        return flight.value();
    }

    /** Its numbers beside the memory: parameters, micro-batches in flight and, where something is swapped, the host's memory. */
    public List<Term> beside() {
        Term held = parameters.named("parameters.rank");
        return host.value() == 0 ? List.of(held, flight) : List.of(held, flight, host);
    }

    /** Bytes of activations swapped out to the host at the peak. */
    public double hostBytes() {
        return host.value();
    }
}
