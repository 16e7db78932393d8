package dev.lacuna.app.ortools;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/** OR-Tools as the build has it for tests. */
public final class OrToolsJars {
    private OrToolsJars() {}

    private static List<Path> named(String... beginnings) {
        return Arrays.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .map(Path::of)
                .filter(jar -> Arrays.stream(beginnings)
                        .anyMatch(name -> jar.getFileName().toString().startsWith(name)))
                .toList();
    }

    /** Whether the build brings native libraries for this machine. */
    public static boolean natives() {
        return !named("ortools-linux-").isEmpty();
    }

    /** A folder as a person would make it. */
    static OrToolsFolder folder(Path parent) throws IOException {
        Path folder = Files.createDirectory(
                parent.resolve("ortools"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        for (Path jar : named("ortools-", "protobuf-java-")) {
            Files.copy(jar, folder.resolve(jar.getFileName()));
        }
        return new OrToolsFolder(folder);
    }
}
