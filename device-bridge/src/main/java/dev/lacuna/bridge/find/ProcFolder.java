package dev.lacuna.bridge.find;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One process's folder in {@code /proc}. What is not there any more, or not to be read by this user, is empty. */
record ProcFolder(Path path) {
    private static final int LONGEST_COMMAND = 512;
    private static final int MOST_OPEN = 4096;
    private static final Pattern LINK = Pattern.compile("[a-z]+:\\[(\\d{1,18})]");

    /** A text file in it. */
    Optional<String> text(String name) {
        try {
            return Optional.of(new String(Files.readAllBytes(path.resolve(name)), StandardCharsets.ISO_8859_1));
        } catch (IOException goneOrAnothers) {
            return Optional.empty();
        }
    }

    /** Its command line on one line, cut. */
    String command() {
        String words = bytes("cmdline")
                .map(all -> new String(all, StandardCharsets.UTF_8))
                .orElse("");
        String line = words.replace('\0', ' ').replaceAll("\\p{Cntrl}", "?").strip();
        return line.length() > LONGEST_COMMAND ? line.substring(0, LONGEST_COMMAND) : line;
    }

    /** The file that it runs. */
    Optional<Path> program() {
        try {
            return Optional.of(Files.readSymbolicLink(path.resolve("exe")));
        } catch (IOException goneOrAnothers) {
            return Optional.empty();
        }
    }

    /** The environment that it was started with. */
    Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>();
        for (String variable : text("environ").orElse("").split("\0")) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                variables.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return variables;
    }

    /** A line of its {@code status}. */
    static Optional<String> line(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .map(line -> line.substring(name.length() + 1).strip());
    }

    /** Its effective user; empty where it is gone. */
    OptionalInt uid() {
        return text("status")
                .flatMap(status -> line(status, "Uid"))
                .map(ids -> OptionalInt.of(Integer.parseUnsignedInt(ids.split("\\s+")[1])))
                .orElse(OptionalInt.empty());
    }

    /** Whose it is: by name where the folder belongs to that user, else by number; {@code ?} where it is gone. */
    String user() {
        OptionalInt uid = uid();
        try {
            boolean owned = uid.isPresent() && uid.getAsInt() == (int) Files.getAttribute(path, "unix:uid");
            return owned
                    ? Files.getOwner(path).getName()
                    : uid.isPresent() ? Integer.toUnsignedString(uid.getAsInt()) : "?";
        } catch (IOException goneMeanwhile) {
            return "?";
        }
    }

    /** The inode of a namespace of it, such as {@code mnt}; 0 where it cannot be read. */
    long namespace(String kind) {
        return link("ns/" + kind)
                .map(LINK::matcher)
                .filter(Matcher::matches)
                .map(m -> Long.parseLong(m.group(1)))
                .orElse(0L);
    }

    /** What its open descriptors name. */
    List<String> openFiles() {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path.resolve("fd"))) {
            for (Path entry : entries) {
                if (found.size() == MOST_OPEN) {
                    break;
                }
                link("fd/" + entry.getFileName()).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException goneOrAnothers) {
            return found;
        }
        return found;
    }

    private Optional<String> link(String name) {
        try {
            return Optional.of(Files.readSymbolicLink(path.resolve(name)).toString());
        } catch (IOException | UnsupportedOperationException goneOrAnothers) {
            return Optional.empty();
        }
    }

    private Optional<byte[]> bytes(String name) {
        try {
            return Optional.of(Files.readAllBytes(path.resolve(name)));
        } catch (IOException goneOrAnothers) {
            return Optional.empty();
        }
    }
}
