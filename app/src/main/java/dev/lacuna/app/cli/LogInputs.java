package dev.lacuna.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which inputs a command line names: files, all files below folders, or standard input. */
final class LogInputs {
    /** The name of standard input. */
    static final String STANDARD_INPUT = "-";

    private LogInputs() {}

    /**
     * The inputs in order, folders replaced by the regular files below them, sorted by path. A path that names nothing
     * stays in the list: reading it is what fails.
     */
    static List<String> expand(List<String> named) throws IOException {
        List<String> inputs = new ArrayList<>();
        for (String name : named.isEmpty() ? List.of(STANDARD_INPUT) : named) {
            if (!name.equals(STANDARD_INPUT) && Files.isDirectory(Path.of(name))) {
                try (Stream<Path> below = Files.walk(Path.of(name))) {
                    below.filter(Files::isRegularFile)
                            .sorted()
                            .map(Path::toString)
                            .forEach(inputs::add);
                }
            } else {
                inputs.add(name);
            }
        }
        return inputs;
    }
}
