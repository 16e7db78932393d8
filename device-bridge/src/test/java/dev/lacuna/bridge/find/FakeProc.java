package dev.lacuna.bridge.find;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A {@code /proc} that tests write: as much of one as the search reads. */
final class FakeProc {
    static final int UID = 1000;

    private final Path root;

    FakeProc(Path root) throws IOException {
        this.root = root;
        Files.writeString(root.resolve("stat"), "cpu 1 2 3\nbtime 1700000000\n");
        Files.createDirectories(root.resolve("self/ns"));
        Files.createSymbolicLink(root.resolve("self/ns/mnt"), Path.of("mnt:[100]"));
    }

    Path root() {
        return root;
    }

    /** A process of this user that sees what this program sees. */
    Process process(long pid, String name, String maps) throws IOException {
        Path folder = Files.createDirectories(root.resolve(Long.toString(pid)));
        Process process = new Process(pid, folder);
        process.is(name);
        Files.writeString(folder.resolve("maps"), maps);
        Files.writeString(folder.resolve("status"), "Name:\t" + name + "\nUid:\t1000\t1000\t1000\t1000\n");
        Files.writeString(folder.resolve("cmdline"), name + "\0train.py\0");
        Files.writeString(folder.resolve("environ"), "");
        Files.writeString(folder.resolve("cgroup"), "0::/user.slice\n");
        Files.createDirectories(folder.resolve("ns"));
        Files.createSymbolicLink(folder.resolve("ns/mnt"), Path.of("mnt:[100]"));
        Files.createSymbolicLink(folder.resolve("root"), Path.of("/"));
        return process;
    }

    /** Lines of a maps file. */
    static String maps(String... paths) {
        StringBuilder text = new StringBuilder("55d0c0000000-55d0c0001000 r--p 00000000 fe:00 1   [heap]\n");
        for (String path : paths) {
            text.append("7f0000000000-7f0000001000 r-xp 00000000 fe:00 131                      ")
                    .append(path)
                    .append('\n');
        }
        return text.toString();
    }

    /** Before the folder is deleted, what leads out of it is. */
    void close() throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(root, "[0-9]*")) {
            for (Path process : processes) {
                Files.delete(process.resolve("root"));
            }
        }
    }

    /** One process of it. */
    record Process(long pid, Path folder) {
        static final long START = 777;

        void is(String name) throws IOException {
            write(
                    "stat",
                    pid + " (" + name + ") S 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 " + START + " 1000 10");
        }

        /** Its command line lies where the kernel had put it for whoever was started as this program. */
        Process childOf(long parent, long argumentsAt) throws IOException {
            String middle = " 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 " + START + " 1000 10";
            String last = " 0".repeat(23) + " " + argumentsAt + " 0 0 0 0";
            return write("stat", pid + " (python3) S " + parent + middle + last);
        }

        Process write(String file, String text) throws IOException {
            Files.writeString(folder.resolve(file), text);
            return this;
        }

        Process root(Path other) throws IOException {
            Files.delete(folder.resolve("root"));
            Files.createSymbolicLink(folder.resolve("root"), other);
            return this;
        }

        void goes() throws IOException {
            Files.delete(folder.resolve("stat"));
        }
    }
}
