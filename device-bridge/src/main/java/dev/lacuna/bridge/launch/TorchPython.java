package dev.lacuna.bridge.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Finds a Python that has PyTorch: {@code $LACUNA_PYTHON}, then {@code /usr/bin/python3}, then those on the PATH. */
public final class TorchPython {
    /** A cold import of PyTorch takes seconds; a busy machine many more. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private TorchPython() {}

    /** The first Python of this environment that can import torch; starts each candidate once and waits for it. */
    public static Optional<Path> find() {
        return find(System.getenv(), Path.of("/usr/bin/python3"), PATIENCE);
    }

    static Optional<Path> find(Map<String, String> environment, Path usual, Duration patience) {
        Set<Path> candidates = new LinkedHashSet<>();
        String chosen = environment.getOrDefault("LACUNA_PYTHON", "");
        if (!chosen.isEmpty()) {
            candidates.add(Path.of(chosen));
        }
        candidates.add(usual);
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (!folder.isEmpty()) {
                candidates.add(Path.of(folder, "python3"));
            }
        }
        return candidates.stream()
                .filter(Files::isExecutable)
                .filter(python -> importsTorch(python, patience))
                .findFirst();
    }

    private static boolean importsTorch(Path python, Duration patience) {
        Process process;
        try {
            process = new ProcessBuilder(python.toString(), "-c", "import torch")
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return false;
        }
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}
