package dev.lacuna.bridge.find;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a framework, from what its package has beside the mapped library; nothing of it is run. */
final class FrameworkVersion {
    private static final Pattern WRITTEN = Pattern.compile("(?m)^_*version_*\\s*(?::[^=]*)?=\\s*['\"](\\d[\\w.]*)");
    private static final int MOST_BYTES = 64 * 1024;

    private FrameworkVersion() {}

    /**
     * Looks in its version file, then at its distribution's folder.
     *
     * @param root the process's root folder: its paths are those of its own container
     * @param places folders of the package
     */
    static Optional<String> read(Path root, FrameworkKind kind, List<String> places) {
        for (String place : places) {
            Path folder = root.resolve(place.substring(1));
            Optional<String> version = written(folder.resolve("version.py"))
                    .or(() -> folder.endsWith(kind.packageName()) ? beside(folder, kind) : Optional.empty());
            if (version.isPresent()) {
                return version;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> written(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                return Optional.empty();
            }
            Matcher version = WRITTEN.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            return version.find() ? Optional.of(version.group(1)) : Optional.empty();
        } catch (IOException notReadable) {
            return Optional.empty();
        }
    }

    /** {@code torch-2.14.1+cu130.dist-info} beside {@code torch}. */
    private static Optional<String> beside(Path folder, FrameworkKind kind) {
        Path parent = folder.getParent();
        Pattern name =
                Pattern.compile(Pattern.quote(kind.packageName()) + "(?:lib)?-(\\d[\\w.]*).*\\.(?:dist|egg)-info");
        if (parent == null || !Files.isDirectory(parent)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, "*-info")) {
            for (Path entry : entries) {
                Matcher m = name.matcher(entry.getFileName().toString().toLowerCase(Locale.ROOT));
                if (m.matches()) {
                    return Optional.of(m.group(1));
                }
            }
        } catch (IOException | DirectoryIteratorException notReadable) {
            return Optional.empty();
        }
        return Optional.empty();
    }
}
