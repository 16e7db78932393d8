package dev.lacuna.ui.snapshot;

import dev.lacuna.core.trace.TraceFormatException;
import dev.lacuna.ui.text.Texts;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import java.util.zip.ZipException;

/** Why a recording could not be read and what to do, in the language of the window. */
public final class RecordingFault {
    private static final Texts TEXTS = Texts.of("snapshot");

    private RecordingFault() {}

    /** The sentence for what went wrong. */
    public static String explain(Throwable fault) {
        if (fault instanceof UncheckedIOException unchecked) {
            return explain(unchecked.getCause());
        }
        if (fault instanceof ExecutionException && fault.getCause() instanceof OutOfMemoryError) {
            return TEXTS.get("failed.memory");
        }
        if (fault instanceof TraceFormatException format) {
            return TEXTS.get("failed.line", Long.toString(format.line()), format.explanation(Texts.locale()));
        }
        if (fault instanceof NoSuchFileException) {
            return TEXTS.get("failed.missing");
        }
        if (fault instanceof AccessDeniedException) {
            return TEXTS.get("failed.denied");
        }
        if (fault instanceof EOFException || fault instanceof ZipException) {
            return TEXTS.get("failed.cut");
        }
        if (fault instanceof FileSystemException) {
            return TEXTS.get("failed.irregular");
        }
        return fault.getLocalizedMessage() == null ? fault.toString() : fault.getLocalizedMessage();
    }
}
