package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import dev.lacuna.core.trace.model.TraceReader;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotStreams;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The trace in a memory snapshot of PyTorch or torch_npu: that of the device with the most entries, of equals the one with the
 * most memory. What is wrong with a snapshot leaves as {@link dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException}.
 */
public final class SnapshotTraceReader implements TraceReader {
    @Override
    public String format() {
        return "snapshot";
    }

    @Override
    public boolean recognises(FileHead head) {
        return SnapshotReader.recognises(head.bytes());
    }

    @Override
    public List<String> endings() {
        return List.of(".pickle", ".pkl");
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return trace(new SnapshotReader().read(in));
    }

    @Override
    public TraceCursor open(InputStream in) throws IOException {
        try (in) {
            return trace(new SnapshotReader().readWhatIsWhole(in)).open();
        }
    }

    private static AllocationTrace trace(MemorySnapshot snapshot) {
        AllocationTrace rows = busiest(snapshot)
                .map(one -> SnapshotTrace.of(one, new SnapshotStreams(), snapshot.reachesEnd(one.index())))
                .orElseGet(() -> AllocationTrace.builder().build());
        return snapshot.cut().isPresent() ? rows.endingEarly() : rows;
    }

    /** The device with the most entries, of equals the one with the most reserved; empty where the snapshot has none. */
    public static Optional<SnapshotDevice> busiest(MemorySnapshot snapshot) {
        return snapshot.devices().stream()
                .min(Comparator.comparingInt((SnapshotDevice d) -> d.events().size())
                        .thenComparingLong(SnapshotDevice::reservedBytes)
                        .reversed());
    }

    /**
     * The device of this number.
     *
     * @throws TraceFormatException when the snapshot holds nothing of it, with the numbers of those that it tells of
     */
    public static SnapshotDevice numbered(MemorySnapshot snapshot, int number) throws TraceFormatException {
        List<SnapshotDevice> reported = snapshot.devices().stream()
                .filter(device ->
                        device.events().size() > 0 || device.segments().size() > 0)
                .toList();
        for (SnapshotDevice device : reported) {
            if (device.index() == number) {
                return device;
            }
        }
        String numbers = reported.stream().map(d -> Integer.toString(d.index())).collect(Collectors.joining(", "));
        throw new TraceFormatException(TraceProblem.NO_SUCH_DEVICE, 1, numbers.isEmpty() ? "–" : numbers);
    }
}
