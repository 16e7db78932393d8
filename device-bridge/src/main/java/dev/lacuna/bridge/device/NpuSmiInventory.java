package dev.lacuna.bridge.device;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Ascend's devices as their driver's own program tells, {@code npu-smi info}: there is no library for it that is everywhere. It takes a
 * second or so, and is asked at most every ten.
 */
final class NpuSmiInventory implements DeviceInventory {
    private static final String PROGRAM = "npu-smi";

    /** Users' paths leave out the folders where some systems have it. */
    private static final List<String> ELSEWHERE = List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin");

    private static final long PATIENCE_S = 5;
    private static final long GOOD_FOR_NS = 10_000_000_000L;
    private static final int MOST_BYTES = 1 << 20;

    private final Optional<Path> program;
    private final LongSupplier clockNs;
    private Optional<Told> told = Optional.empty();

    private record Told(long atNs, List<DeviceFacts> devices) {}

    /**
     * Devices as this machine's program tells.
     *
     * @param path folders to look for it in, as in {@code PATH}
     */
    NpuSmiInventory(String path, LongSupplier clockNs) {
        this.program = Stream.concat(Arrays.stream(path.split(":")), ELSEWHERE.stream())
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, PROGRAM))
                .filter(Files::isExecutable)
                .findFirst();
        this.clockNs = clockNs;
    }

    @Override
    public synchronized List<DeviceFacts> devices() {
        long now = clockNs.getAsLong();
        if (program.isPresent()
                && told.filter(last -> now - last.atNs() < GOOD_FOR_NS).isEmpty()) {
            told = Optional.of(new Told(now, NpuSmiTable.read(output(program.get()))));
        }
        return told.map(Told::devices).orElse(List.of());
    }

    /** What it prints; nothing where it cannot be run or does not come to an end. */
    private static String output(Path program) {
        Optional<Process> running = start(program);
        if (running.isEmpty()) {
            return "";
        }
        CompletableFuture<String> printed = CompletableFuture.supplyAsync(() -> text(running.get()));
        try {
            return printed.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException hangsOrBroken) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        } finally {
            running.get().destroyForcibly();
        }
    }

    private static Optional<Process> start(Path program) {
        try {
            ProcessBuilder builder = new ProcessBuilder(program.toString(), "info")
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("LC_ALL", "C");
            return Optional.of(builder.start());
        } catch (IOException notRunnable) {
            return Optional.empty();
        }
    }

    private static String text(Process process) {
        try (InputStream output = process.getInputStream()) {
            return new String(output.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException endedMeanwhile) {
            return "";
        }
    }
}
