package dev.lacuna.core.estimate;

import java.util.List;

/**
 * What a rank of one pipeline stage needs.
 *
 * @param stage from 0
 * @param layers indices of its layers, of all its model chunks
 * @param inFlight micro-batches whose activations it keeps at once
 * @param parameters what it holds
 * @param memory the peak: states, activations, loss, overhead
 * @param hostBytes activations swapped out to the host at the peak
 */
public record StageMemory(
        int stage, List<Integer> layers, double inFlight, Term parameters, Term memory, double hostBytes) {
    public StageMemory {
        layers = List.copyOf(layers);
    }
}
