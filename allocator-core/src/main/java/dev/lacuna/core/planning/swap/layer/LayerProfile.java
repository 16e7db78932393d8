package dev.lacuna.core.planning.swap.layer;

import java.util.List;

/**
 * All layers of a device as measured in a running process.
 *
 * @param layers by the agent's number, which is the order of their first forward
 * @param stepNs mean time of a whole step, nanoseconds, as it ran while it was measured; 0 before the first
 * @param peakAllocatedBytes most that was allocated at a time in the last whole step as it ran; 0 before the first
 * @param limitBytes the cap on reserved memory that holds now
 * @param otherBytes peak allocated less what layers keep when nothing is swapped or recomputed, parameters and optimizer
 *     included, at least 0: what no policy moves
 * @param linkBytesPerSecond rate of the link to the host: measured, else as set; 0 where neither is known
 */
public record LayerProfile(
        List<LayerMeasurement> layers,
        long stepNs,
        long peakAllocatedBytes,
        long limitBytes,
        long otherBytes,
        long linkBytesPerSecond) {
    public LayerProfile {
        if (stepNs < 0 || peakAllocatedBytes < 0 || limitBytes < 0 || otherBytes < 0 || linkBytesPerSecond < 0) {
            throw new IllegalArgumentException("a figure of a profile is below 0");
        }
        layers = List.copyOf(layers);
    }

    /**
     * The same where steps of other shapes have needed more than the measured ones: what layers keep, and their inputs, grow
     * in proportion, so that keeping everything takes as much as was seen.
     *
     * @param seenBytes most that was ever allocated at a time; less than what was measured changes nothing
     */
    public LayerProfile overTheRange(long seenBytes) {
        long saved = savedBytes();
        long more = seenBytes - otherBytes - saved;
        if (more <= 0 || saved == 0) {
            return this;
        }
        double growth = 1 + (double) more / saved;
        return new LayerProfile(
                layers.stream().map(layer -> layer.grown(growth)).toList(),
                stepNs,
                Math.max(peakAllocatedBytes, seenBytes),
                limitBytes,
                otherBytes,
                linkBytesPerSecond);
    }

    /** What all layers keep together when nothing is swapped or recomputed. */
    public long savedBytes() {
        return layers.stream().mapToLong(LayerMeasurement::savedBytes).sum();
    }
}
