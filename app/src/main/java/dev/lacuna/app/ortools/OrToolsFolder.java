package dev.lacuna.app.ortools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder in which OR-Tools' jars are looked for: the system property {@code lacuna.ortools}, else {@code $LACUNA_ORTOOLS},
 * else {@code lacuna/ortools} in the user's data folder ({@code $XDG_DATA_HOME}, {@code ~/.local/share}). An empty value of the first
 * two means none.
 */
record OrToolsFolder(Path path) {
    private static final String PROPERTY = "lacuna.ortools";
    private static final String VARIABLE = "LACUNA_ORTOOLS";

    static Optional<OrToolsFolder> usual() {
        return of(Optional.ofNullable(System.getProperty(PROPERTY)), System.getenv(), System.getProperty("user.home"));
    }

    static Optional<OrToolsFolder> of(Optional<String> property, Map<String, String> environment, String home) {
        Optional<String> named = property.or(() -> Optional.ofNullable(environment.get(VARIABLE)));
        if (named.isPresent()) {
            return named.filter(name -> !name.isBlank()).map(name -> new OrToolsFolder(Path.of(name)));
        }
        Path data = Optional.ofNullable(environment.get("XDG_DATA_HOME"))
                .filter(name -> name.startsWith("/"))
                .map(Path::of)
                .orElse(Path.of(home, ".local", "share"));
        return Optional.of(new OrToolsFolder(data.resolve("lacuna").resolve("ortools")));
    }

    /**
     * The jars in it, by name; none where there is no such folder.
     *
     * @throws IOException when the folder or a jar could have been written by other users, or cannot be read: what lies here is run
     */
    List<Path> jars() throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        refuseWritableByOthers(path);
        try (Stream<Path> files = Files.list(path)) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            for (Path jar : jars) {
                refuseWritableByOthers(jar);
            }
            return jars;
        }
    }

    private static void refuseWritableByOthers(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(file + ": others may write it");
        }
    }
}
