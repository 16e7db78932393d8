package dev.lacuna.core.history;

import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Opens a file and prints what that took, for docs/measurements. To be run from the tests' class path:
 *
 * <pre>java -Xmx1536m -cp allocator-core/target/test-classes:allocator-core/target/classes \
 *     dev.lacuna.core.history.OpeningCost FILE [FROM TO]</pre>
 */
public final class OpeningCost {
    private OpeningCost() {}

    /** Arguments: the file, and the first event to load and the one after the last, if not all. */
    public static void main(String[] arguments) throws IOException {
        OpenRequest request = arguments.length < 3
                ? OpenRequest.ALL
                : OpenRequest.ALL.of(
                        new LoadRange.Events(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])));
        long start = System.nanoTime();
        Recording recording = new Recordings().open(Path.of(arguments[0]), request);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpu = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long events =
                recording.devices().stream().mapToLong(DeviceHistory::size).sum();
        long reserved = recording.devices().stream()
                .mapToLong(d -> d.figures().reservedBytes())
                .sum();
        System.out.printf(
                Locale.ROOT,
                "events %d reserved %d truncated %b seconds %.1f cpu %.1f heap-mib %d bytes-per-event %.1f%n",
                events,
                reserved,
                recording.truncated(),
                seconds,
                cpu,
                used >> 20,
                (double) used / Math.max(1, events));
    }
}
