package dev.lacuna.core.trace.snapshot.model;

import java.util.List;
import java.util.Optional;

/**
 * A memory snapshot of PyTorch or torch_npu.
 *
 * @param protocol the pickle protocol that it was written with, 0 … 5
 * @param devices every device that it has a trace or a segment of, by number, without gaps
 * @param settings options of the allocator
 * @param annotations marks of the program
 * @param stacks the call stacks that segments, blocks and events name by number
 * @param host the memory of the host that its allocator pinned, where the file tells
 * @param oddities what it says that cannot be, taken for unknown
 * @param cut where the file ended too early; empty where it is whole
 */
public record MemorySnapshot(
        int protocol,
        List<SnapshotDevice> devices,
        AllocatorSettings settings,
        List<SnapshotAnnotation> annotations,
        CallStacks stacks,
        Optional<SnapshotDevice> host,
        Oddities oddities,
        Optional<SnapshotCut> cut) {

    public MemorySnapshot {
        devices = List.copyOf(devices);
        annotations = List.copyOf(annotations);
    }

    /** Whether the trace of this device goes on until its segments were taken down, which are all there; the host is {@link SnapshotDevice#HOST}. */
    public boolean reachesEnd(int device) {
        return cut.filter(c ->
                        !c.segmentsWhole() || c.trace().isPresent() && c.trace().getAsInt() == device)
                .isEmpty();
    }
}
