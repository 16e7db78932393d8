package dev.lacuna.bridge;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a process does, by name, and the memory that it takes for it.
 *
 * @param looked whether the process is looked at, 20 times a second; else it marks each begin and end, and peaks are exact
 * @param phases in the order in which they were first seen
 */
public record NamedPhases(boolean looked, List<Phase> phases) {
    /** What every training does; others lie around these. */
    private static final Set<String> INNERMOST = Set.of("forward", "backward", "optimizer");

    public NamedPhases {
        phases = List.copyOf(phases);
    }

    /** Of those that are open the one that says most closely what is done now. */
    public Optional<Phase> innermost() {
        return phases.stream().filter(Phase::open).max(Comparator.comparing(phase -> INNERMOST.contains(phase.name())));
    }

    /**
     * One of them.
     *
     * @param name one line
     * @param open whether the process is in it now
     * @param timeNs how long it was in it, all in all
     * @param peakAllocatedBytes highest allocated meanwhile
     * @param peakReservedBytes highest reserved meanwhile
     */
    public record Phase(String name, boolean open, long timeNs, long peakAllocatedBytes, long peakReservedBytes) {
        /** The gap: most reserved less most allocated while it was open. */
        public long gapBytes() {
            return Math.max(0, peakReservedBytes - peakAllocatedBytes);
        }
    }
}
