package dev.lacuna.app.cli.diagnose;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.files.FileKind;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Which inputs a command line names: files, all files below folders, or standard input. */
final class LogInputs {
    /** The name of standard input. */
    static final String STANDARD_INPUT = "-";

    /** One input, by the name it is reported under. */
    sealed interface Input {
        /** The name, as given or as found. */
        String name();

        /** Standard input. */
        record Standard() implements Input {
            @Override
            public String name() {
                return STANDARD_INPUT;
            }
        }

        /** A file; it need not exist: reading it is what fails. */
        record File(String name, Path path) implements Input {}

        /** A folder below which no file lies that could be a log. */
        record WithoutLogs(String name) implements Input {}

        /** Something that cannot even be looked at. */
        record Unreachable(String name, IOException why) implements Input {}
    }

    private LogInputs() {}

    /**
     * The inputs in order, folders replaced by the regular files below them that may be logs, sorted by path; a folder in which nothing
     * lies stands for itself.
     */
    static List<Input> expand(List<String> named) {
        List<Input> inputs = new ArrayList<>();
        for (String name : named.isEmpty() ? List.of(STANDARD_INPUT) : named) {
            if (name.equals(STANDARD_INPUT)) {
                inputs.add(new Input.Standard());
            } else {
                inputs.addAll(below(name));
            }
        }
        return inputs;
    }

    private static List<Input> below(String name) {
        Path path;
        try {
            path = Path.of(name);
        } catch (InvalidPathException e) {
            return List.of(new Input.Unreachable(name, new IOException(CliText.text("diagnose.name"), e)));
        }
        if (!Files.isDirectory(path)) {
            return List.of(new Input.File(name, path));
        }
        List<Input> below = walk(path);
        return below.isEmpty() ? List.of(new Input.WithoutLogs(name)) : below;
    }

    /** Pictures and checkpoints lie beside logs; only who is named is told that it is none. */
    private static boolean mayBeLog(Path file) {
        FileKind kind = FileKind.of(file);
        return kind == FileKind.EMPTY || !kind.isSomethingElse();
    }

    /** One folder that cannot be opened costs only itself. */
    private static List<Input> walk(Path folder) {
        List<Path> files = new ArrayList<>();
        List<Input> unreachable = new ArrayList<>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (Files.isRegularFile(file) && mayBeLog(file)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException why) {
                    unreachable.add(new Input.Unreachable(file.toString(), why));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException why) {
                    if (why != null) {
                        unreachable.add(new Input.Unreachable(directory.toString(), why));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            unreachable.add(new Input.Unreachable(folder.toString(), e));
        }
        Collections.sort(files);
        List<Input> inputs = new ArrayList<>();
        files.forEach(file -> inputs.add(new Input.File(file.toString(), file)));
        inputs.addAll(unreachable);
        return inputs;
    }
}
