package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.OomLogException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Turns the bytes of a log into characters: gzip, byte order marks and UTF-16 are told by content, never by name. */
final class LogText {
    private static final int SAMPLE_BYTES = 256;
    private static final int GZIP_BUFFER = 1 << 16;

    private LogText() {}

    /** Characters of the log. Bytes that are no text in the encoding found become U+FFFD. */
    static Reader open(InputStream in) throws IOException {
        PushbackInputStream plain = new PushbackInputStream(in, SAMPLE_BYTES);
        byte[] head = peek(plain, 2);
        if (head.length == 2 && (head[0] & 0xff) == 0x1f && (head[1] & 0xff) == 0x8b) {
            return decode(new PushbackInputStream(gunzip(plain), SAMPLE_BYTES));
        }
        return decode(plain);
    }

    private static InputStream gunzip(InputStream in) throws IOException {
        try {
            return new GZIPInputStream(in, GZIP_BUFFER);
        } catch (ZipException | java.io.EOFException e) {
            throw new OomLogException("the gzip data is damaged: " + e.getMessage(), e);
        }
    }

    private static Reader decode(PushbackInputStream in) throws IOException {
        byte[] head = peek(in, SAMPLE_BYTES);
        if (startsWith(head, 0xef, 0xbb, 0xbf)) {
            return afterMark(in, 3, StandardCharsets.UTF_8);
        }
        if (startsWith(head, 0xff, 0xfe)) {
            return afterMark(in, 2, StandardCharsets.UTF_16LE);
        }
        if (startsWith(head, 0xfe, 0xff)) {
            return afterMark(in, 2, StandardCharsets.UTF_16BE);
        }
        return new InputStreamReader(in, guess(head));
    }

    private static Reader afterMark(InputStream in, int markBytes, Charset charset) throws IOException {
        in.skipNBytes(markBytes);
        return new InputStreamReader(in, charset);
    }

    /** UTF-16 without a mark shows as zero bytes at every other place. */
    private static Charset guess(byte[] head) {
        int zeroEven = 0;
        int zeroOdd = 0;
        for (int i = 0; i < head.length; i++) {
            if (head[i] == 0) {
                if (i % 2 == 0) {
                    zeroEven++;
                } else {
                    zeroOdd++;
                }
            }
        }
        int many = Math.max(4, head.length / 4);
        if (zeroOdd >= many && zeroOdd > 4 * zeroEven) {
            return StandardCharsets.UTF_16LE;
        }
        return zeroEven >= many && zeroEven > 4 * zeroOdd ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_8;
    }

    private static byte[] peek(PushbackInputStream in, int n) throws IOException {
        byte[] head = in.readNBytes(n);
        in.unread(head);
        return head;
    }

    private static boolean startsWith(byte[] head, int... mark) {
        if (head.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if ((head[i] & 0xff) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
