package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.WatchedMemory;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.diagnosis.report.Table;
import java.util.Comparator;

/** Reserved and allocated memory over time; the picture is of the device that reserved most. */
final class MemoryWatch implements Watched {
    private final ByDevice<WatchedMemory> byDevice = new ByDevice<>(WatchedMemory::new);

    @Override
    public void add(Sample sample) {
        sample.devices().forEach(counters -> byDevice.of(counters).add(sample.timeMs(), counters));
    }

    @Override
    public boolean isEmpty() {
        return byDevice.isEmpty();
    }

    @Override
    public Table table() {
        return WatchedMemory.table(byDevice.all().toList());
    }

    @Override
    public byte[] picture() {
        return CurveImage.png(byDevice.all()
                .max(Comparator.comparingLong(WatchedMemory::mostReservedBytes))
                .orElseThrow());
    }
}
