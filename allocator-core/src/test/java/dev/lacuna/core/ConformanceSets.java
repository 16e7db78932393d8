package dev.lacuna.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Sets of the conformance data by what their index says, whatever they are called. */
public final class ConformanceSets {
    private ConformanceSets() {}

    /** Folders below the one that system property {@code lacuna.data} names whose {@code INDEX.tsv} has these columns. */
    public static List<Path> withColumns(String... columns) {
        String data = System.getProperty("lacuna.data", "");
        if (data.isEmpty()) {
            throw new IllegalStateException("system property lacuna.data: the folder of conformance data");
        }
        try (Stream<Path> folders = Files.list(Path.of(data))) {
            return folders.filter(folder -> Files.isRegularFile(folder.resolve("INDEX.tsv")))
                    .filter(folder -> header(folder).containsAll(Arrays.asList(columns)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(data + " could not be listed", e);
        }
    }

    private static Set<String> header(Path folder) {
        try (Stream<String> lines = Files.lines(folder.resolve("INDEX.tsv"))) {
            return Set.copyOf(Arrays.asList(lines.findFirst().orElse("").split("\t", -1)));
        } catch (IOException e) {
            throw new UncheckedIOException(folder + ": its INDEX.tsv could not be read", e);
        }
    }
}
