package dev.lacuna.bridge.graft;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the front for a process's PyTorch is built: beside the process, by its own Python, with its own surroundings, so that it
 * is found where the process will look. The process itself compiles nothing.
 *
 * @param command what to run; its last line of output is the front's path
 * @param environment all variables
 */
record FrontBuild(List<String> command, Map<String, String> environment) {
    private static final Pattern PACKAGE = Pattern.compile("(/\\S*)/torch/lib/libtorch_python\\.so");

    /** What would bring somebody else's code into the compiler, or watch it. */
    private static final List<String> NOT_FOR_BUILDING = List.of("LD_PRELOAD", "LACUNA_RUN", "LACUNA_TELEMETRY");

    /**
     * Reads what it takes of a process of this user.
     *
     * @param process its folder below {@code /proc}
     * @param pythonPath the folder that holds the package {@code lacuna}
     * @param library {@code liblacuna_torch.so}
     * @throws IOException where the process is gone
     */
    static FrontBuild of(Path process, Path pythonPath, Path library) throws IOException {
        Map<String, String> environment =
                variables(Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1));
        NOT_FOR_BUILDING.forEach(environment::remove);
        List<String> path = new ArrayList<>(List.of(pythonPath.toString()));
        packages(Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1))
                .ifPresent(path::add);
        Optional.ofNullable(environment.get("PYTHONPATH"))
                .filter(own -> !own.isEmpty())
                .ifPresent(path::add);
        environment.put("PYTHONPATH", String.join(":", path));
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("LACUNA_LIBRARY", library.toString());
        Path python = process.resolve("exe").toRealPath();
        return new FrontBuild(List.of(python.toString(), "-m", "lacuna", "build-front"), environment);
    }

    /** The folder of packages that torch lies in; a system's own PyTorch has its libraries elsewhere, and is found anyway. */
    private static Optional<String> packages(String maps) {
        Matcher found = PACKAGE.matcher(maps);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private static Map<String, String> variables(String environ) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String entry : environ.split("\0")) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                found.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return found;
    }
}
