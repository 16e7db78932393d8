package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.WatchedMemory;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.diagnosis.report.Table;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reserved and allocated memory over time; the picture is of the device that reserved most. */
final class MemoryWatch implements Watched {
    private final Map<Integer, WatchedMemory> byDevice = new LinkedHashMap<>();

    @Override
    public void add(Sample sample) {
        sample.devices()
                .forEach(counters -> byDevice.computeIfAbsent(
                                counters.device(),
                                d -> new WatchedMemory(counters.name().toString()))
                        .add(sample.timeMs(), counters));
    }

    @Override
    public boolean isEmpty() {
        return byDevice.isEmpty();
    }

    @Override
    public Table table() {
        return WatchedMemory.table(List.copyOf(byDevice.values()));
    }

    @Override
    public byte[] picture() {
        return CurveImage.png(byDevice.values().stream()
                .max(Comparator.comparingLong(WatchedMemory::mostReservedBytes))
                .orElseThrow());
    }
}
