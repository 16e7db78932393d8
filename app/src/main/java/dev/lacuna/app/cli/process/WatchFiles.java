package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.WatchedMemory;
import dev.lacuna.bridge.Sample;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;

/** What {@code watch} saves of what it has seen: when it is over, by whatever; Ctrl-C is how most people end it. */
final class WatchFiles {
    @Mixin
    private ChartFiles files = new ChartFiles();

    private final Map<Integer, WatchedMemory> byDevice = new LinkedHashMap<>();
    private boolean saved;

    /** To be closed when watching is over. */
    Saving begin() {
        if (!files.isAsked()) {
            return () -> {};
        }
        files.probe();
        Thread interrupted = new Thread(this::saveAtTheEnd, "lacuna-end-of-watching");
        Runtime.getRuntime().addShutdownHook(interrupted);
        return this::save;
    }

    /** Until this is closed what is seen is kept; then it is saved. */
    interface Saving extends AutoCloseable {
        @Override
        void close();
    }

    /** Another sample. */
    synchronized void add(Sample sample) {
        if (files.isAsked()) {
            sample.devices()
                    .forEach(counters -> byDevice.computeIfAbsent(
                                    counters.device(),
                                    d -> new WatchedMemory(counters.name().toString()))
                            .add(sample.timeMs(), counters));
        }
    }

    private synchronized void save() {
        if (saved) {
            return;
        }
        saved = true;
        if (byDevice.isEmpty()) {
            System.err.println("lacuna: " + CliText.text("watch.unseen"));
            return;
        }
        List<WatchedMemory> devices = List.copyOf(byDevice.values());
        files.write(
                () -> WatchedMemory.table(devices),
                () -> CurveImage.png(devices.stream()
                        .max(Comparator.comparingLong(WatchedMemory::mostReservedBytes))
                        .orElseThrow()));
    }

    /** Saves what was seen, and says what could not be written: where something else is to be said as well. */
    void saveAtTheEnd() {
        if (!files.isAsked()) {
            return;
        }
        try {
            save();
        } catch (CommandFailure unwritable) {
            System.err.println("lacuna: " + unwritable.getMessage());
        }
    }
}
