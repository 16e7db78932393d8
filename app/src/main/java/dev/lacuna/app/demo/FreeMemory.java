package dev.lacuna.app.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Memory that a new process can have without taking any from another: the machine's, or that of a container's limit. */
final class FreeMemory {
    private static final long KIB = 1024;

    private final Path root;

    private FreeMemory(Path root) {
        this.root = root;
    }

    /** On this machine, bytes. Unlimited where nothing tells. */
    static long bytes() {
        return below(Path.of("/"));
    }

    static long below(Path root) {
        FreeMemory free = new FreeMemory(root);
        return Stream.of(
                        free.ofMachine(),
                        free.ofGroup("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current"),
                        free.ofGroup(
                                "sys/fs/cgroup/memory/memory.limit_in_bytes",
                                "sys/fs/cgroup/memory/memory.usage_in_bytes"))
                .flatMap(some -> some.stream().boxed())
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
    }

    private OptionalLong ofMachine() {
        try (Stream<String> lines = Files.lines(root.resolve("proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                    .findFirst();
        } catch (IOException | NumberFormatException notTold) {
            return OptionalLong.empty();
        }
    }

    private OptionalLong ofGroup(String limit, String usage) {
        OptionalLong most = number(limit);
        OptionalLong used = number(usage);
        return most.isPresent() && used.isPresent()
                ? OptionalLong.of(Math.max(0, most.getAsLong() - used.getAsLong()))
                : OptionalLong.empty();
    }

    /** Without a limit there is a word in place of a number, or no file. */
    private OptionalLong number(String file) {
        try {
            return OptionalLong.of(
                    Long.parseLong(Files.readString(root.resolve(file)).strip()));
        } catch (IOException | NumberFormatException none) {
            return OptionalLong.empty();
        }
    }
}
