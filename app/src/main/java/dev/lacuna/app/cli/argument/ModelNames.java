package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.estimate.input.Presets;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Names of published models where a file could stand too. */
public final class ModelNames {
    private static final String STANDARD_INPUT = "-";

    private ModelNames() {}

    /**
     * Does nothing for a file, and for what looks like the path of one.
     *
     * @throws IOException for a word that is neither: with what may have been meant, and every model that is known
     */
    public static void require(String name) throws IOException {
        if (name.equals(STANDARD_INPUT) || isFile(name) || name.indexOf(File.separatorChar) >= 0) {
            return;
        }
        throw new IOException(CliText.text("estimate.model", name) + NearMisses.question(name, Presets.names()) + "\n"
                + CliText.text("estimate.models", String.join(", ", Presets.names())));
    }

    private static boolean isFile(String name) {
        try {
            return Files.exists(Path.of(name));
        } catch (InvalidPathException unwritten) {
            return false;
        }
    }
}
