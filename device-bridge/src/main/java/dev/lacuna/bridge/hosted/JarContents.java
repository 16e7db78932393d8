package dev.lacuna.bridge.hosted;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads a folder of this program's own resources, from its jar or from the build's output. */
final class JarContents {
    private JarContents() {}

    /**
     * Every file under a folder.
     *
     * @param folder absolute, such as {@code /native}
     * @return contents by path relative to the folder, in order
     */
    static SortedMap<String, byte[]> under(String folder) throws IOException {
        URL url = JarContents.class.getResource(folder);
        if (url == null) {
            throw new NoSuchFileException(folder, null, "not among this program's resources");
        }
        if (url.openConnection() instanceof JarURLConnection jar) {
            Path file = path(jar.getJarFileURL());
            try (FileSystem contents = FileSystems.newFileSystem(file, Map.of())) {
                return read(contents.getPath(folder));
            }
        }
        return read(path(url));
    }

    private static Path path(URL url) throws IOException {
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IOException(url + " is no file", e);
        }
    }

    private static SortedMap<String, byte[]> read(Path folder) throws IOException {
        SortedMap<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                contents.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }
}
