package dev.lacuna.core.history.open;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an opened recording tells of a device, as a trace that can be replayed: requests with the sizes asked for, and frees at the event
 * by which the memory became free. Blocks that were alive before are asked for first, by address. A request that ran out of
 * memory is asked for and freed at once. Annotations that bear the name of a phase mark it.
 */
public final class HistoryTrace {
    private final DeviceHistory history;
    private final AllocationTrace.Builder trace = AllocationTrace.builder();
    private final Map<Long, Integer> streams = new HashMap<>(Map.of(0L, 0));
    private final int[] blocks;

    /** Per event the first allocation whose memory it frees without naming it, and the next such one of each. */
    private final Map<Integer, List<Integer>> endedBy = new HashMap<>();

    private HistoryTrace(DeviceHistory history) {
        this.history = history;
        blocks = new int[history.allocations()];
    }

    /** The trace of one device; of the annotations, those of this device count. */
    public static AllocationTrace of(DeviceHistory history, List<HistoryAnnotation> annotations) {
        List<HistoryAnnotation> marks = annotations.stream()
                .filter(mark -> mark.device() == history.device())
                .filter(mark -> phase(mark).isPresent())
                .sorted(Comparator.comparingInt(HistoryAnnotation::event))
                .toList();
        return new HistoryTrace(history).convert(marks);
    }

    /** The trace of one device of a recording, with its annotations; it ends early where the file did. */
    public static AllocationTrace of(Recording recording, DeviceHistory history) {
        AllocationTrace trace = of(history, recording.annotations());
        return recording.truncated() ? trace.endingEarly() : trace;
    }

    /** The device with the most events; of equals the one with the most reserved at the end. Empty where there is none. */
    public static Optional<DeviceHistory> busiest(Recording recording) {
        return recording.devices().stream()
                .min(Comparator.comparingInt(DeviceHistory::size)
                        .thenComparingLong(device -> device.closing().reservedBytes())
                        .reversed());
    }

    private AllocationTrace convert(List<HistoryAnnotation> marks) {
        for (int a = 0; a < history.allocations(); a++) {
            int end = history.diedAt(a);
            if (end >= 0 && end < history.size() && history.allocation(end) != a) {
                endedBy.computeIfAbsent(end, e -> new ArrayList<>()).add(a);
            }
        }
        for (int a = 0; a < history.openingAllocations(); a++) {
            begin(a);
        }
        long start = history.size() > 0 ? history.timeNs(0) : 0;
        int mark = 0;
        for (int i = 0; i <= history.size(); i++) {
            for (; mark < marks.size() && marks.get(mark).event() <= i; mark++) {
                trace.phase(
                        phase(marks.get(mark)).orElseThrow(), marks.get(mark).begins());
            }
            if (i < history.size()) {
                trace.at(Math.max(0, history.timeNs(i) - start));
                convert(i);
            }
        }
        AllocationTrace rows = trace.build();
        return new HistoryOpening(history)
                .memory(this::stream)
                .map(rows::startingFrom)
                .orElse(rows);
    }

    private void convert(int i) {
        endedBy.getOrDefault(i, List.of()).forEach(a -> trace.free(blocks[a]));
        int a = history.allocation(i);
        switch (history.action(i)) {
            case ALLOC -> begin(a);
            case FREE, FREE_COMPLETED -> {
                if (a != DeviceHistory.NONE && history.diedAt(a) == i) {
                    trace.free(blocks[a]);
                }
            }
            case OOM -> trace.free(trace.alloc(history.bytes(i), stream(history.stream(i))));
            case RELEASE, SEGMENT_UNMAP -> {
                if (endsEmptyCache(i)) {
                    trace.emptyCache();
                }
            }
            default -> {} // no row of a trace
        }
    }

    private void begin(int a) {
        blocks[a] = trace.alloc(Math.max(0, history.requestedOf(a)), stream(history.streamOf(a)));
    }

    /** Whether event i is the last of some that give memory back, and no request for more follows that explains them. */
    private boolean endsEmptyCache(int i) {
        return i + 1 == history.size()
                || switch (history.action(i + 1)) {
                    case RELEASE, SEGMENT_UNMAP, GROW, SEGMENT_MAP, OOM -> false;
                    default -> true;
                };
    }

    private int stream(long handle) {
        return streams.computeIfAbsent(handle, h -> streams.size());
    }

    private static Optional<Phase> phase(HistoryAnnotation mark) {
        return Arrays.stream(Phase.values())
                .filter(phase -> phase.label().equals(mark.name()))
                .findFirst();
    }
}
