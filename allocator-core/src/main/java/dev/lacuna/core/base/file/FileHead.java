package dev.lacuna.core.base.file;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** How a file's unpacked content begins: what formats are told apart by, whatever the file is called. */
public final class FileHead {
    /** The most that is looked at. */
    public static final int BYTES = 4096;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final byte[] bytes;
    private final String text;

    /**
     * @param bytes the first bytes, at most {@link #BYTES}; fewer where it ends before
     */
    public FileHead(byte[] bytes) {
        this.bytes = bytes.clone();
        String read = new String(bytes, StandardCharsets.UTF_8);
        text = read.startsWith(BYTE_ORDER_MARK) ? read.substring(1) : read;
    }

    /** The bytes themselves. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** As UTF-8, without a byte order mark. What is no text has replacement characters in it. */
    public String text() {
        return text;
    }

    /** The text's first line that says anything, stripped; empty where there is none. */
    public Optional<String> firstLine() {
        return said(text.lines()).findFirst();
    }

    /** The text's first line that is no comment, where {@code #} starts one. */
    public Optional<String> firstCommand() {
        return said(text.lines()).filter(line -> !line.startsWith("#")).findFirst();
    }

    private static Stream<String> said(Stream<String> lines) {
        return lines.map(String::strip).filter(line -> !line.isEmpty());
    }
}
