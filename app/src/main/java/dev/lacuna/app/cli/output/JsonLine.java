package dev.lacuna.app.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes one JSON document as one line of UTF-8; the streaming generator keeps the command's start fast. */
public final class JsonLine {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Fills in a document. */
    public interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private JsonLine() {}

    /** The document as text without a newline. */
    public static String of(Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            body.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /**
     * Prints a line and flushes. When the reader of our output has gone, the command ends quietly, as programs in a pipe do.
     */
    public static void print(PrintStream out, String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
        if (out.checkError()) {
            throw new OutputClosedException();
        }
    }
}
