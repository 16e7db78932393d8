package dev.lacuna.core.trace;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPInputStream;

/**
 * Input that is packed with gzip, once, or not at all, and what is in it: the file itself, or a memory snapshot in the page that
 * PyTorch's {@code _memory_viz trace_plot} makes of one. Told by its first bytes.
 */
public final class PackedInput {
    private static final int BUFFER_BYTES = 64 * 1024;
    /** What stands before the snapshot's bytes in a page. */
    private static final String SNAPSHOT_IN_PAGE = "\"snapshot.pickle\", \"base64\": \"";

    private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};

    private PackedInput() {}

    /**
     * The content, which can be marked; closing it closes the input. Where a packed file was cut, reading what follows the cut
     * fails with an {@link EOFException}, as often as it is tried, after all before it was read.
     *
     * @throws TraceFormatException when what was packed is packed again
     * @throws java.util.zip.ZipException when it begins as gzip does and is none; reading may find that out later, too
     */
    public static InputStream unpacked(InputStream input) throws IOException {
        InputStream in = new BufferedInputStream(input, BUFFER_BYTES);
        if (!isPacked(in)) {
            return ofPage(in);
        }
        InputStream content =
                new BufferedInputStream(new PieceByPiece(new GZIPInputStream(in, BUFFER_BYTES)), BUFFER_BYTES);
        if (isPacked(content)) {
            throw new TraceFormatException(TraceProblem.PACKED_TWICE, 1, "");
        }
        return ofPage(content);
    }

    /** The snapshot in a page of PyTorch's viewer; the content itself where it is none. */
    private static InputStream ofPage(InputStream in) throws IOException {
        int at = new String(head(in, FileHead.BYTES), StandardCharsets.ISO_8859_1).indexOf(SNAPSHOT_IN_PAGE);
        if (at < 0) {
            return in;
        }
        in.skipNBytes(at + SNAPSHOT_IN_PAGE.length());
        InputStream decoded = Base64.getDecoder().wrap(new Quoted(in));
        return new BufferedInputStream(new PieceByPiece(decoded), BUFFER_BYTES);
    }

    /** How a stream begins that can be marked, which is left where it was. */
    public static FileHead head(InputStream in) throws IOException {
        return new FileHead(head(in, FileHead.BYTES));
    }

    private static byte[] head(InputStream in, int most) throws IOException {
        in.mark(most);
        byte[] head = new byte[most];
        int filled = 0;
        try {
            for (int read = 0; filled < most && read >= 0; filled += Math.max(0, read)) {
                read = in.read(head, filled, most - filled);
            }
        } catch (EOFException packedFileIsCut) {
            // What comes after the head finds out.
        }
        in.reset();
        return Arrays.copyOf(head, filled);
    }

    private static boolean isPacked(InputStream in) throws IOException {
        return Arrays.equals(head(in, GZIP_MAGIC.length), GZIP_MAGIC);
    }

    /** Ends at the next quotation mark. */
    private static final class Quoted extends FilterInputStream {
        private boolean ended;

        Quoted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = ended ? -1 : super.read();
            if (next < 0 && !ended) {
                throw new EOFException("the page ends within its snapshot");
            }
            ended |= next == '"';
            return ended ? -1 : next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int filled = 0;
            for (int next = 0; filled < length && next >= 0; ) {
                next = read();
                if (next >= 0) {
                    into[offset + filled++] = (byte) next;
                }
            }
            return filled == 0 && length > 0 ? -1 : filled;
        }
    }

    /** Hands out what it has before it asks for more, so that nothing in front of a cut is lost with the piece behind it. */
    private static final class PieceByPiece extends FilterInputStream {
        PieceByPiece(InputStream in) {
            super(in);
        }

        @Override
        public int available() {
            return 0;
        }
    }
}
