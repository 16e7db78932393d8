package dev.lacuna.core.base.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes beside a file and moves: it is there whole or as it was, also on a full disk. A link stays one, and a file keeps its
 * rights. What is no file (a terminal, a pipe) is written as it is.
 */
public final class WholeFile {
    private static final Set<PosixFilePermission> OF_NEW_FILES = PosixFilePermissions.fromString("rw-r--r--");

    private WholeFile() {}

    /** Writes a text in UTF-8. */
    public static void write(Path file, String text) throws UnwritableException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether it could be written now, before the work whose result it is to hold. Writes nothing into it. */
    public static void probe(Path file) throws UnwritableException {
        try {
            Path target = target(file);
            if (Files.exists(target) && !Files.isWritable(target)) {
                throw new AccessDeniedException(target.toString());
            }
            if (!Files.exists(target)) {
                Files.delete(Files.createFile(target));
            } else if (Files.isRegularFile(target)) { // It is written beside itself.
                Files.delete(Files.createTempFile(target.getParent(), ".lacuna-", ".part"));
            }
        } catch (IOException fault) {
            throw UnwritableException.of(fault);
        }
    }

    private static Path target(Path file) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        if (Files.isDirectory(target)) {
            throw new UnwritableException(WriteProblem.IS_FOLDER, target.toString());
        }
        return target;
    }

    /** Writes these bytes. */
    public static void write(Path file, byte[] content) throws UnwritableException {
        try {
            Path target = target(file);
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                Files.write(target, content);
            } else {
                replace(target, content);
            }
        } catch (IOException fault) {
            throw UnwritableException.of(fault);
        }
    }

    private static void replace(Path target, byte[] content) throws IOException {
        boolean there = Files.exists(target);
        if (there && !Files.isWritable(target)) {
            throw new AccessDeniedException(target.toString());
        }
        Path fresh = Files.createTempFile(target.getParent(), ".lacuna-", ".part");
        try {
            Files.write(fresh, content);
            Files.setPosixFilePermissions(fresh, there ? Files.getPosixFilePermissions(target) : OF_NEW_FILES);
            Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
