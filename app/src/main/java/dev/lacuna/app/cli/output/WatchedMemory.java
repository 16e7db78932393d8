package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.diagnosis.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One device's memory while it was watched. However long that lasts it takes a bounded place: when it is full, neighbours become one
 * moment with the higher of each figure, so that no peak is lost.
 */
public final class WatchedMemory {
    private static final int MOST_MOMENTS = 32_768;

    private final String device;
    private final int most;
    private List<Moment> moments = new ArrayList<>();
    private int samplesEach = 1;
    private int inLast;
    private long oomsBefore = -1;

    /** Nothing was seen yet. */
    public WatchedMemory(String device) {
        this(device, MOST_MOMENTS);
    }

    WatchedMemory(String device, int most) {
        this.device = device;
        this.most = most;
    }

    /**
     * From one sample to the next of those that are kept.
     *
     * @param timeMs of the first sample, milliseconds since 1970
     * @param failures requests that failed for good since the moment before
     */
    record Moment(long timeMs, long reservedBytes, long allocatedBytes, long limitBytes, long failures) {
        private Moment and(Moment next) {
            return new Moment(
                    timeMs,
                    Math.max(reservedBytes, next.reservedBytes),
                    Math.max(allocatedBytes, next.allocatedBytes),
                    next.limitBytes,
                    failures + next.failures);
        }
    }

    /** Another sample. What failed before the first is not told. */
    public void add(long timeMs, MemoryCounters counters) {
        long failures = oomsBefore < 0 ? 0 : Math.max(0, counters.ooms() - oomsBefore);
        oomsBefore = counters.ooms();
        add(new Moment(timeMs, counters.reservedBytes(), counters.allocatedBytes(), counters.limitBytes(), failures));
    }

    void add(Moment moment) {
        if (inLast > 0 && inLast < samplesEach) {
            int last = moments.size() - 1;
            moments.set(last, moments.get(last).and(moment));
            inLast++;
            return;
        }
        if (moments.size() == most) {
            halve();
        }
        moments.add(moment);
        inLast = 1;
    }

    private void halve() {
        List<Moment> half = new ArrayList<>();
        for (int i = 0; i + 1 < moments.size(); i += 2) {
            half.add(moments.get(i).and(moments.get(i + 1)));
        }
        moments = half;
        samplesEach *= 2;
    }

    /** What the device is called. */
    public String device() {
        return device;
    }

    List<Moment> moments() {
        return List.copyOf(moments);
    }

    /** The most that was reserved, bytes. */
    public long mostReservedBytes() {
        return moments.stream().mapToLong(Moment::reservedBytes).max().orElse(0);
    }

    /** What every device had at each moment, for a spreadsheet. */
    public static Table table(List<WatchedMemory> devices) {
        Stream<List<?>> rows = devices.stream()
                .flatMap(watched -> watched.moments.stream()
                        .map(moment -> List.of(
                                watched.device,
                                moment.timeMs(),
                                moment.reservedBytes(),
                                moment.allocatedBytes(),
                                moment.limitBytes(),
                                moment.failures())));
        return ChartFiles.table(
                List.of("device", "#time_ms", "#reserved_bytes", "#allocated_bytes", "#limit_bytes", "#failures"),
                rows);
    }
}
