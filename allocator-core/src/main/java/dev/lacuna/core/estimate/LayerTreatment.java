package dev.lacuna.core.estimate;

import java.util.Set;

/**
 * What happens to one layer's activations.
 *
 * @param full the whole layer is computed again
 * @param recomputed parts computed again
 * @param swapped parts swapped out to the host
 * @param excluded parts kept although the whole layer is computed again
 */
public record LayerTreatment(
        boolean full, Set<ActivationPart> recomputed, Set<ActivationPart> swapped, Set<ActivationPart> excluded) {
    /** Everything is kept. */
    public static final LayerTreatment KEPT = new LayerTreatment(false, Set.of(), Set.of(), Set.of());

    /** Only the input is kept. */
    public static final LayerTreatment FULL = new LayerTreatment(true, Set.of(), Set.of(), Set.of());

    public LayerTreatment {
        recomputed = Set.copyOf(recomputed);
        swapped = Set.copyOf(swapped);
        excluded = Set.copyOf(excluded);
    }

    boolean keeps(ActivationPart part) {
        if (part == ActivationPart.LAYER_INPUT) {
            return !swapped.contains(part);
        }
        return full ? excluded.contains(part) : !recomputed.contains(part) && !swapped.contains(part);
    }
}
