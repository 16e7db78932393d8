package dev.lacuna.app.files;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.hosted.AgentPackage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A model in a file that only its own library in Python reads; that writes the operator graph of a step, which is read here. */
public enum ModelGraph {
    ONNX,
    /** Tells no shapes of its inputs. */
    TORCHSCRIPT,
    /** Of {@code torch.export}. */
    EXPORTED;

    /** Protocol Buffers: the first field of every ONNX file is a number. */
    private static final int FIRST_FIELD = 0x08;

    /** What this file is, by its content; of ONNX, which has no magic number, by its name too. Empty where it is no model. */
    public static Optional<ModelGraph> of(Path file) {
        if (!Files.isRegularFile(file)) {
            // A pipe gives its first bytes once.
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            int first = in.read();
            if (first == FIRST_FIELD && name(file).endsWith(".onnx")) {
                return Optional.of(ONNX);
            }
            return first == 'P' && in.read() == 'K' ? packed(file) : Optional.empty();
        } catch (IOException unreadable) {
            // Whoever reads it next says why it cannot be read.
            return Optional.empty();
        }
    }

    /** Checkpoints are archives too, without a program in them. */
    private static Optional<ModelGraph> packed(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return zip.stream()
                    .map(entry -> entry.getName())
                    .flatMap(entry -> ofEntry(entry).stream())
                    .findFirst();
        } catch (ZipException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private static Optional<ModelGraph> ofEntry(String entry) {
        if (entry.matches("[^/]+/code/.+")) {
            return Optional.of(TORCHSCRIPT);
        }
        return entry.matches("(.*/)?(serialized_exported_program\\.json|models/[^/]+\\.json)")
                ? Optional.of(EXPORTED)
                : Optional.empty();
    }

    /**
     * The words of a command that writes the graph of this file, for the environment where it was made.
     *
     * @param python the program
     * @param shapes of its inputs, {@code 8,3,224,224} say
     */
    public List<String> words(String python, Path file, List<String> shapes) {
        List<String> words = new ArrayList<>(List.of(python, "-m", "lacuna", "graph", file.toString()));
        shapes.forEach(shape -> words.addAll(List.of("--input", shape)));
        return words;
    }

    /** The same as it can be pasted; it leaves a graph beside the file. Shapes that nobody gave stand there as a word to replace. */
    public String command(String python, Path file, List<String> shapes) {
        List<String> given = shapes.isEmpty() && this == TORCHSCRIPT ? List.of("SHAPE") : shapes;
        List<String> words = new ArrayList<>(words(python, file, given));
        words.addAll(List.of("-o", graphFile(file).toString()));
        String command = words.stream().map(ModelGraph::quoted).collect(Collectors.joining(" "));
        return packageFolder()
                .map(folder -> "PYTHONPATH=" + quoted(folder) + " " + command)
                .orElse(command);
    }

    /** Where Python finds the package {@code lacuna}; empty where it could not be unpacked. */
    public static Optional<String> packageFolder() {
        try {
            return Optional.of(AgentPackage.unpack().pythonPath().toString());
        } catch (BridgeException notUnpacked) {
            return Optional.empty();
        }
    }

    private static Path graphFile(Path file) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.replaceFirst("\\.[^.]+$", "") + ".graph.json");
    }

    private static String name(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    private static String quoted(String word) {
        return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
