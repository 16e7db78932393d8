package dev.lacuna.app.files;

import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.PackedInput;
import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Stream;

/** What a file is, by how it begins: what this program can show, and what people take for it by mistake. */
public enum FileKind {
    /** A memory snapshot, a recording, a black box, a trace. */
    RECORDING,
    /** A model's or a framework's settings. */
    CONFIGURATION,
    /** A table of blocks whose lifetimes are known. */
    LIFETIMES,
    /** Text, and whatever cannot be read: who reads logs says why. */
    LOG,
    /** A folder with files in it: of logs, whoever opens it means. */
    FOLDER,
    EMPTY,
    EMPTY_FOLDER,
    PICTURE,
    DOCUMENT,
    ARCHIVE,
    PROGRAM,
    /** A model whose operator graph its own library writes ({@link ModelGraph}). */
    MODEL,
    BINARY;

    /** Ranks lie in a folder, or in a folder each. */
    private static final int DEPTH = 2;

    /** Whether it is plain what it is, and that it is nothing of ours, so that no reader needs to be asked. */
    public boolean isSomethingElse() {
        return switch (this) {
            case EMPTY, EMPTY_FOLDER, PICTURE, DOCUMENT, ARCHIVE, PROGRAM, MODEL -> true;
            case RECORDING, CONFIGURATION, LIFETIMES, LOG, FOLDER, BINARY -> false;
        };
    }

    /** What this file is. Never fails, never waits: what is no file is left to who tells why. */
    public static FileKind of(Path file) {
        if (Files.isDirectory(file)) {
            return hasFiles(file) ? FOLDER : EMPTY_FOLDER;
        }
        if (!Files.isRegularFile(file)) {
            return LOG;
        }
        try (InputStream in = PackedInput.unpacked(Files.newInputStream(file))) {
            FileKind kind =
                    of(PackedInput.head(in), file.getFileName().toString().toLowerCase(Locale.ROOT));
            return mayBeModel(kind) && ModelGraph.of(file).isPresent() ? MODEL : kind;
        } catch (TraceFormatException packedTwice) {
            return ARCHIVE;
        } catch (IOException unreadable) {
            return LOG;
        }
    }

    private static boolean mayBeModel(FileKind kind) {
        return kind == ARCHIVE || kind == BINARY || kind == LOG;
    }

    private static FileKind of(FileHead head, String name) {
        byte[] bytes = head.bytes();
        if (bytes.length == 0) {
            return EMPTY;
        }
        if (FileFormats.isRecording(head)) {
            return RECORDING;
        }
        if (PlacedTable.recognises(bytes)) {
            return LIFETIMES;
        }
        FileKind strange = strange(bytes);
        if (strange != LOG) {
            return strange;
        }
        String text = head.text();
        boolean yaml = name.endsWith(".yaml") || name.endsWith(".yml");
        // Containers' logs are JSON too, an object a line.
        boolean json = name.endsWith(".json")
                && text.stripLeading().matches("(?s)\\{\\s*[\\n\\r].*|\\{\\s*\"[^\"]+\"\\s*:.*")
                && !text.contains("\"log\"");
        return yaml || json ? CONFIGURATION : LOG;
    }

    private static FileKind strange(byte[] head) {
        String begins = HexFormat.of().formatHex(Arrays.copyOf(head, Math.min(head.length, 16)));
        if (Stream.of("89504e47", "ffd8ff", "47494638", "424d", "49492a00", "4d4d002a")
                        .anyMatch(begins::startsWith)
                || begins.startsWith("52494646") && begins.startsWith("57454250", 16)) {
            return head[0] == 'B' && !isBinary(head) ? LOG : PICTURE;
        }
        if (begins.startsWith("25504446")) {
            return DOCUMENT;
        }
        if (Stream.of("504b0304", "fd377a585a00", "28b52ffd", "425a68", "377abcaf")
                .anyMatch(begins::startsWith)) {
            return head[0] == 'B' && !isBinary(head) ? LOG : ARCHIVE;
        }
        if (begins.startsWith("7f454c46")) {
            return PROGRAM;
        }
        return isBinary(head) ? BINARY : LOG;
    }

    /** Text holds no zero bytes, unless it is UTF-16, which readers of logs know. */
    private static boolean isBinary(byte[] head) {
        int zeros = 0;
        int high = 0;
        for (int i = 0; i < head.length; i++) {
            if (head[i] == 0) {
                zeros++;
                high += i % 2;
            }
        }
        boolean utf16 = zeros > head.length / 4 && (high == 0 || high == zeros);
        return zeros > 0 && !utf16;
    }

    private static boolean hasFiles(Path folder) {
        try (Stream<Path> inside = Files.walk(folder, DEPTH)) {
            return inside.anyMatch(Files::isRegularFile);
        } catch (IOException | java.io.UncheckedIOException unreadable) {
            return true;
        }
    }
}
