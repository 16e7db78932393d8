package dev.lacuna.bridge.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Starts programs that find the unpacked libtorch, and the stand-ins in the place of CUDA. */
final class Programs {
    private static final Path UNPACKED = Path.of(System.getProperty("rivals.unpacked"), "org", "bytedeco");
    private static final Path TORCH = UNPACKED.resolve("pytorch/linux-x86_64-gpu");
    private static final Path NATIVE = Path.of(System.getProperty("rivals.native"));
    private static final Path STAND_INS = NATIVE.resolve("rivals");
    private static final long PATIENCE_SECONDS = 180;

    private Programs() {}

    /** What a program printed, by name: it prints {@code name=value} words, a value with blanks last in its line. */
    record Said(Map<String, String> words, String all) {
        long number(String name) {
            assertThat(words).as(all).containsKey(name);
            return Long.parseLong(words.get(name));
        }

        String text(String name) {
            return words.getOrDefault(name, "");
        }
    }

    /** PyTorch's own allocator under a trace. */
    static Said replay(Path commands, long capacityBytes, boolean expandable) {
        Map<String, String> environment = new HashMap<>();
        if (expandable) {
            environment.put("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True");
            // c10 only looks for a driver and an NVML that are loaded already.
            environment.put("LD_PRELOAD", STAND_INS.resolve("libcuda.so.1") + " " + STAND_INS.resolve("libnvidia-ml.so.1"));
        }
        return run(List.of(STAND_INS.resolve("replay").toString(), commands.toString()), capacityBytes, environment);
    }

    /** libtorch training, with these words for {@link TrainingProgram}. */
    static Said train(Path rendezvous, long capacityBytes, Map<String, String> settings, Object... words) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("LACUNA_DIR", rendezvous.toString());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Dorg.bytedeco.javacpp.platform.extension=-gpu",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-Drivals.torch=" + TORCH,
                "-Drivals.native=" + NATIVE,
                "-cp",
                UNPACKED.getParent().getParent() + ":" + System.getProperty("java.class.path"),
                TrainingProgram.class.getName()));
        Arrays.stream(words).map(Object::toString).forEach(command::add);
        return run(command, capacityBytes, environment);
    }

    private static Said run(List<String> command, long capacityBytes, Map<String, String> settings) {
        try {
            Path output = Files.createTempFile("rivals", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(settings);
            builder.environment().put("STANDIN_BYTES", Long.toString(capacityBytes));
            builder.environment()
                    .put("LD_LIBRARY_PATH", STAND_INS + ":" + TORCH + ":" + UNPACKED.resolve("openblas/linux-x86_64"));
            Process process = builder.start();
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String said = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            assertThat(ended).as(said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return new Said(words(said), said);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    private static Map<String, String> words(String said) {
        return said.lines()
                .flatMap(line -> line.startsWith("exception=") ? List.of(line).stream() : Arrays.stream(line.split(" ")))
                .filter(word -> word.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        word -> word.substring(0, word.indexOf('=')),
                        word -> word.substring(word.indexOf('=') + 1),
                        (first, second) -> second));
    }
}
