package dev.lacuna.app.window;

import dev.lacuna.bridge.recording.BlackBoxFormat;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** What a file is, by how it begins: what the window can show, and what people take for it by mistake. */
enum FileKind {
    /** A memory snapshot, a recording, a black box, a trace. */
    RECORDING,
    /** A model's or a framework's settings. */
    CONFIGURATION,
    /** Text, a folder of files, and whatever cannot be read: who reads logs says why. */
    LOG,
    EMPTY,
    EMPTY_FOLDER,
    PICTURE,
    DOCUMENT,
    ARCHIVE,
    PROGRAM,
    BINARY;

    private static final int HEAD_BYTES = 4096;
    private static final int GZIP_MAGIC = 0x1f8b;

    /** Ranks lie in a folder, or in a folder each. */
    private static final int DEPTH = 2;

    /** A line of trace text, after comments and empty lines. */
    private static final Pattern TRACE_TEXT =
            Pattern.compile("(?:total \\d|other \\d|fraction \\d|alloc \\S+ \\d|phase \\w+ (?:begin|end)|stats\\b)");

    /** Whether it is plain what it is, and that it is nothing of ours, so that no reader needs to be asked. */
    boolean isSomethingElse() {
        return switch (this) {
            case EMPTY, EMPTY_FOLDER, PICTURE, DOCUMENT, ARCHIVE, PROGRAM -> true;
            case RECORDING, CONFIGURATION, LOG, BINARY -> false;
        };
    }

    /** What this file is. Never fails, never waits: what is no file is left to who tells why. */
    static FileKind of(Path file) {
        if (Files.isDirectory(file)) {
            return hasFiles(file) ? LOG : EMPTY_FOLDER;
        }
        if (!Files.isRegularFile(file)) {
            return LOG;
        }
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(2);
            boolean packed = (raw.read() << 8 | raw.read()) == GZIP_MAGIC;
            raw.reset();
            byte[] head = (packed ? new GZIPInputStream(raw) : raw).readNBytes(HEAD_BYTES);
            return of(head, file.getFileName().toString().toLowerCase(Locale.ROOT));
        } catch (IOException unreadable) {
            return LOG;
        }
    }

    private static FileKind of(byte[] head, String name) {
        if (head.length == 0) {
            return EMPTY;
        }
        String text = new String(head, StandardCharsets.UTF_8);
        if (SnapshotReader.recognises(head)
                || new BlackBoxFormat().recognises(head)
                || text.startsWith("ts_ns,")
                || isTraceText(text)) {
            return RECORDING;
        }
        FileKind strange = strange(head);
        if (strange != LOG) {
            return strange;
        }
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

    /** Line by line: one expression for all comments takes a frame of the stack for each. */
    private static boolean isTraceText(String text) {
        return (text.startsWith("\uFEFF") ? text.substring(1) : text)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .filter(line -> TRACE_TEXT.matcher(line).lookingAt())
                .isPresent();
    }
}
