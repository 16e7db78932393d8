package dev.lacuna.app.window;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The memory of this machine, which is that of the training processes it runs. */
final class HostMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final long KIB = 1024;

    private HostMemory() {}

    /** All of it, bytes; 0 where the system does not tell. */
    static long bytes() {
        try (Stream<String> lines = Files.lines(MEMINFO)) {
            return lines.filter(line -> line.startsWith("MemTotal:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | NumberFormatException notToldHere) {
            return 0;
        }
    }
}
