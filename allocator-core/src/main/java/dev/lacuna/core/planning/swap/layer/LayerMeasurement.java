package dev.lacuna.core.planning.swap.layer;

import java.util.Set;

/**
 * One layer as measured in a running process: means over {@code steps} steps. Where a step has several micro-batches, times
 * are of all of them together, and bytes are the most that one step kept at a time.
 *
 * @param name path of the module, or what runs between layers
 * @param forwardNs time of its forwards in a step, nanoseconds, without what recomputing or copying added
 * @param backwardNs time of its backwards in a step, nanoseconds, likewise
 * @param savedBytes what it keeps on the device for backward when nothing is swapped or recomputed, parameters apart
 * @param inputBytes its input tensors: what recomputing keeps instead; 0 where it was never seen
 * @param copyOutNs time of the copies to the host, nanoseconds; 0 while it was never swapped
 * @param copyInNs time of the copies back, nanoseconds; 0 while it was never swapped
 * @param steps how many steps were measured; 0: everything else is 0 too
 * @param possible the actions that a policy may ask of it; KEEP is always one
 */
public record LayerMeasurement(
        String name,
        long forwardNs,
        long backwardNs,
        long savedBytes,
        long inputBytes,
        long copyOutNs,
        long copyInNs,
        int steps,
        Set<LayerAction> possible) {
    public LayerMeasurement {
        if (forwardNs < 0 || backwardNs < 0 || savedBytes < 0 || inputBytes < 0 || copyOutNs < 0 || copyInNs < 0) {
            throw new IllegalArgumentException("a measurement of " + name + " is below 0");
        }
        if (steps < 0 || !possible.contains(LayerAction.KEEP)) {
            throw new IllegalArgumentException("no measurement of a layer: " + name);
        }
        possible = Set.copyOf(possible);
    }

    /** The same with so much larger tensors; copies take longer by as much, and times of computing stay what they were. */
    LayerMeasurement grown(double times) {
        return new LayerMeasurement(
                name,
                forwardNs,
                backwardNs,
                Math.round(times * savedBytes),
                Math.round(times * inputBytes),
                Math.round(times * copyOutNs),
                Math.round(times * copyInNs),
                steps,
                possible);
    }

    /** A layer of which every action may be asked. */
    public LayerMeasurement(
            String name,
            long forwardNs,
            long backwardNs,
            long savedBytes,
            long inputBytes,
            long copyOutNs,
            long copyInNs,
            int steps) {
        this(
                name,
                forwardNs,
                backwardNs,
                savedBytes,
                inputBytes,
                copyOutNs,
                copyInNs,
                steps,
                Set.of(LayerAction.values()));
    }
}
