package dev.lacuna.core.estimate.model;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What happens to one layer's activations.
 *
 * @param full the whole layer is computed again
 * @param joined together with the layer before it, in one go: its own input is not kept either
 * @param recomputed parts computed again
 * @param swapped parts swapped out to the host
 * @param excluded parts kept although the whole layer is computed again
 * @param again what runs a second time for the parts computed again; a layer that is computed again as a whole needs no telling
 * @param fetched what is not even kept whole where the whole layer is computed again
 */
public record LayerTreatment(
        boolean full,
        boolean joined,
        Set<ActivationPart> recomputed,
        Set<ActivationPart> swapped,
        Set<ActivationPart> excluded,
        Set<LayerProduct> again,
        Set<Fetched> fetched) {
    /** What a layer that is computed again as a whole can have from other ranks instead of keeping it. */
    public enum Fetched {
        /** Of its input, each tensor-parallel rank keeps its part. */
        INPUT,
        /** Weights that ranks of the optimizer share are let go of after the forward pass. */
        WEIGHTS
    }

    /** The products whose results the parts are; softmax, norms and the like are none. */
    private static final Map<ActivationPart, LayerProduct> MADE_BY = Map.of(
            ActivationPart.QUERY_KEY_VALUE, LayerProduct.QUERY_KEY_VALUE,
            ActivationPart.ATTENTION_OUTPUT, LayerProduct.ATTENTION_CORE,
            ActivationPart.FEED_FORWARD_UP, LayerProduct.FEED_FORWARD_UP);

    /** Everything is kept. */
    public static final LayerTreatment KEPT = new LayerTreatment(false, Set.of(), Set.of(), Set.of());

    /** Only the input is kept. */
    public static final LayerTreatment FULL = new LayerTreatment(true, Set.of(), Set.of(), Set.of());

    public LayerTreatment {
        recomputed = Set.copyOf(recomputed);
        swapped = Set.copyOf(swapped);
        excluded = Set.copyOf(excluded);
        again = Set.copyOf(again);
        fetched = Set.copyOf(fetched);
        if (joined && !full) {
            throw new IllegalArgumentException("only whole layers are computed again together");
        }
    }

    /** Nothing is had from other ranks. */
    public LayerTreatment(
            boolean full,
            boolean joined,
            Set<ActivationPart> recomputed,
            Set<ActivationPart> swapped,
            Set<ActivationPart> excluded,
            Set<LayerProduct> again) {
        this(full, joined, recomputed, swapped, excluded, again, Set.of());
    }

    /** The same, with this had from other ranks again. */
    public LayerTreatment fetching(Set<Fetched> more) {
        return new LayerTreatment(full, joined, recomputed, swapped, excluded, again, more);
    }

    /** A layer on its own, of which operators run again one by one: those that make the parts computed again. */
    public LayerTreatment(
            boolean full, Set<ActivationPart> recomputed, Set<ActivationPart> swapped, Set<ActivationPart> excluded) {
        this(
                full,
                false,
                recomputed,
                swapped,
                excluded,
                recomputed.stream()
                        .filter(MADE_BY::containsKey)
                        .map(MADE_BY::get)
                        .collect(Collectors.toSet()));
    }

    /** Whether the layer is computed again as a whole and has this from other ranks then. */
    public boolean fetches(Fetched what) {
        return full && fetched.contains(what);
    }

    public boolean keeps(ActivationPart part) {
        if (part == ActivationPart.LAYER_INPUT) {
            return !joined && !swapped.contains(part);
        }
        return full ? excluded.contains(part) : !recomputed.contains(part) && !swapped.contains(part);
    }
}
