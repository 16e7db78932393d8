package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Configurations that a command line names. */
public final class ConfigInput {
    private static final String STANDARD_INPUT = "-";

    private ConfigInput() {}

    /** The configuration of this name, {@code -} for standard input. */
    public static ConfigDocument read(String name) throws IOException {
        if (name.equals(STANDARD_INPUT)) {
            return ConfigReader.read(System.in);
        }
        Path path;
        try {
            path = Path.of(name);
        } catch (InvalidPathException e) {
            throw new IOException(CliText.text("diagnose.name"), e);
        }
        if (Files.isDirectory(path)) {
            throw new IOException(CliText.text("mindformers.directory"));
        }
        try (InputStream in = Files.newInputStream(path)) {
            return ConfigReader.read(in);
        }
    }

    /** Why an input could not be read, for people. */
    public static String reason(IOException fault) {
        if (fault instanceof NoSuchFileException) {
            return CliText.text("mindformers.no.such");
        }
        if (fault instanceof AccessDeniedException) {
            return CliText.text("mindformers.denied");
        }
        return Optional.ofNullable(fault.getLocalizedMessage()).orElse(fault.toString());
    }
}
