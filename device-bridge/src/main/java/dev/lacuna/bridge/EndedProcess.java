package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.List;
import java.util.Optional;

/**
 * What the black box of a process that has ended tells.
 *
 * @param process who it was
 * @param peak the most that it held, because its end has freed everything; empty where the box cannot be read
 * @param lastOutOfMemory its last out-of-memory message
 * @param ending how it ended; empty where the box cannot be read
 */
public record EndedProcess(
        TrainingProcess process, Optional<Peak> peak, Optional<String> lastOutOfMemory, Optional<Ending> ending) {

    /** The most memory of a process over all its devices, in bytes. */
    public record Peak(long totalBytes, long reservedBytes, long allocatedBytes) {
        private static Peak of(List<MemoryCounters> devices) {
            return new Peak(
                    devices.stream().mapToLong(MemoryCounters::totalBytes).sum(),
                    devices.stream()
                            .mapToLong(MemoryCounters::peakReservedBytes)
                            .sum(),
                    devices.stream()
                            .mapToLong(MemoryCounters::peakAllocatedBytes)
                            .sum());
        }
    }

    /** Reads one of {@link TrainingProcesses#blackBoxes}; one that cannot be read is told all the same. */
    public static EndedProcess read(TrainingProcesses processes, TrainingProcess box) {
        try (AttachedProcess opened = processes.open(box)) {
            return new EndedProcess(
                    box,
                    Optional.of(Peak.of(opened.sample().devices())),
                    opened.lastOutOfMemory().filter(text -> !text.isBlank()),
                    Optional.of(opened.ending()));
        } catch (BridgeException unreadable) {
            return new EndedProcess(box, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }
}
