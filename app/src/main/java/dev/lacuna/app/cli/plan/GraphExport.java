package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.files.ModelGraph;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Has a Python write the operator graph of a model: each model is read by its own library, in an environment where that is.
 *
 * @param python the program; one that is named so on the path, or a path
 * @param shapes of the model's inputs, in order
 */
record GraphExport(String python, List<String> shapes) {
    /** Who named none means the one that a shell would find. */
    static final String USUAL = "python3";

    /**
     * The graph of this file, as JSON.
     *
     * @throws IOException with what is missing, and the command that does the same where it is not
     */
    byte[] of(Path file, ModelGraph kind) throws IOException {
        Path said = Files.createTempFile("lacuna-graph", ".txt");
        try {
            Process process;
            try {
                process = started(kind.words(python, file, shapes), said.toFile());
            } catch (IOException notThere) {
                throw failed(file, kind, CliText.text("plan.python.none", python));
            }
            process.getOutputStream().close();
            byte[] graph = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw failed(file, kind, reason(file, Files.readString(said)));
            }
            return graph;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(file, kind, e.toString());
        } finally {
            Files.deleteIfExists(said);
        }
    }

    private static Process started(List<String> words, File said) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(said);
        Map<String, String> environment = builder.environment();
        ModelGraph.packageFolder().ifPresent(folder -> {
            String own = environment.getOrDefault("PYTHONPATH", "");
            environment.put("PYTHONPATH", own.isEmpty() ? folder : folder + File.pathSeparator + own);
        });
        return builder.start();
    }

    /** Its last line: what stands before are warnings of libraries. The file is named by whoever asked. */
    private static String reason(Path file, String said) {
        String prefix = "lacuna: " + file + ": ";
        return said.lines()
                .filter(line -> !line.isBlank())
                .reduce((before, line) -> line)
                .map(line -> line.startsWith(prefix) ? line.substring(prefix.length()) : line)
                .orElse("");
    }

    private IOException failed(Path file, ModelGraph kind, String why) {
        String command = kind.command(python, file.toAbsolutePath(), shapes);
        String hint = why.contains("--input") ? "plan.model.shapes" : "plan.model.elsewhere";
        return new IOException(CliText.text("plan.model", why) + "\n" + CliText.text(hint, command));
    }
}
