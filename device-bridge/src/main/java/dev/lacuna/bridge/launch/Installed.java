package dev.lacuna.bridge.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of what trains on this machine: devices' drivers, and frameworks of the Python that trainings are started with. */
public final class Installed {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_CHARS = 8192;
    private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d[\\w.+-]*");

    /** Where each driver tells its version. */
    private static final Map<String, Path> DRIVERS = new LinkedHashMap<>();

    static {
        DRIVERS.put("NVIDIA", Path.of("/proc/driver/nvidia/version"));
        DRIVERS.put("Ascend", Path.of("/usr/local/Ascend/driver/version.info"));
        DRIVERS.put("ROCm", Path.of("/opt/rocm/.info/version"));
    }

    /** Asks what is installed, not what runs: importing a framework takes seconds. */
    private static final String ASK = String.join(
            "\n",
            "import sys",
            "from importlib import metadata",
            "print('Python', sys.version.split()[0])",
            "for name in 'torch torch_npu torchvision transformers accelerate mindspore tensorflow jax paddlepaddle'.split():",
            "    try:",
            "        print(name, metadata.version(name))",
            "    except metadata.PackageNotFoundError:",
            "        pass");

    private Installed() {}

    /** What is there, by name; what is not is left out. Asks a Python and waits for it. */
    public static Map<String, String> versions() {
        Map<String, String> found = new LinkedHashMap<>();
        DRIVERS.forEach((name, file) -> driver(file).ifPresent(version -> found.put(name, version)));
        found.putAll(frameworks(python(System.getenv()), PATIENCE));
        return found;
    }

    static Optional<String> driver(Path file) {
        try {
            Matcher number = NUMBER.matcher(Files.readString(file));
            return number.find() ? Optional.of(number.group()) : Optional.empty();
        } catch (IOException noDriver) {
            return Optional.empty();
        }
    }

    private static Path python(Map<String, String> environment) {
        String chosen = environment.getOrDefault("LACUNA_PYTHON", "");
        return Path.of(chosen.isEmpty() ? "/usr/bin/python3" : chosen);
    }

    static Map<String, String> frameworks(Path python, Duration patience) {
        Map<String, String> found = new LinkedHashMap<>();
        Process process;
        try {
            process = new ProcessBuilder(python.toString(), "-c", ASK)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noPython) {
            return found;
        }
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                said(process).lines().map(line -> line.split(" ", 2)).forEach(pair -> found.put(pair[0], pair[1]));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException lost) {
            found.clear();
        } finally {
            process.destroyForcibly();
        }
        return found;
    }

    /** A few lines: they fit the pipe, and are read when it has ended. */
    private static String said(Process process) throws IOException {
        char[] text = new char[MOST_CHARS];
        int length = 0;
        try (Reader reader = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            for (int got = reader.read(text); got > 0; got = reader.read(text, length, text.length - length)) {
                length += got;
            }
        }
        return new String(text, 0, length);
    }
}
