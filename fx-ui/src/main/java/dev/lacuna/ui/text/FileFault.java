package dev.lacuna.ui.text;

import dev.lacuna.core.snapshot.SnapshotFormatException;
import dev.lacuna.core.snapshot.SnapshotProblem;
import dev.lacuna.core.trace.TraceFormatException;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import java.util.zip.ZipException;

/** Why a recording or a trace could not be read and what to do, in the language of the window. */
public final class FileFault {
    private static final Texts TEXTS = Texts.of("faults");

    private FileFault() {}

    /** Whether the file asks for more memory than there is: a part of it may still be opened. */
    public static boolean isTooLarge(Throwable fault) {
        return (fault instanceof ExecutionException && fault.getCause() instanceof OutOfMemoryError)
                || (fault instanceof SnapshotFormatException format && format.problem() == SnapshotProblem.TOO_LARGE);
    }

    /** The sentence for what went wrong. */
    public static String explain(Throwable fault) {
        if (fault instanceof UncheckedIOException unchecked) {
            return explain(unchecked.getCause());
        }
        if (isTooLarge(fault)) {
            return TEXTS.get("memory");
        }
        if (fault instanceof TraceFormatException format) {
            String explanation = format.explanation(Texts.locale());
            return format.inOneLine() ? TEXTS.get("line", Long.toString(format.line()), explanation) : explanation;
        }
        if (fault instanceof NoSuchFileException) {
            return TEXTS.get("missing");
        }
        if (fault instanceof AccessDeniedException) {
            return TEXTS.get("denied");
        }
        if (fault instanceof EOFException || fault instanceof ZipException) {
            return TEXTS.get("cut");
        }
        if (fault instanceof FileSystemException) {
            return TEXTS.get("irregular");
        }
        return fault.getLocalizedMessage() == null ? fault.toString() : fault.getLocalizedMessage();
    }
}
