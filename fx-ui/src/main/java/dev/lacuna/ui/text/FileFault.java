package dev.lacuna.ui.text;

import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.base.file.UnwritableException;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotProblem;
import java.io.EOFException;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.zip.ZipException;

/** Why a recording, a trace, a profile or a configuration could not be read and what to do, in the language of the window. */
public final class FileFault {
    private static final Texts TEXTS = Texts.of("faults");

    private FileFault() {}

    /** Whether the file asks for more memory than there is: a part of it may still be opened. */
    public static boolean isTooLarge(Throwable fault) {
        return (fault instanceof ExecutionException && fault.getCause() instanceof OutOfMemoryError)
                || (fault instanceof SnapshotFormatException format && format.problem() == SnapshotProblem.TOO_LARGE);
    }

    /** That this could not be opened, where something else is open and stays so. */
    public static String kept(String name) {
        return TEXTS.get("kept", new File(name).getName());
    }

    /** The sentence for what went wrong. */
    public static String explain(Throwable fault) {
        return known(fault)
                .orElseGet(() -> fault.getLocalizedMessage() == null ? fault.toString() : fault.getLocalizedMessage());
    }

    /** The sentence for what went wrong; empty when it is nothing that goes wrong with files. */
    public static Optional<String> known(Throwable fault) {
        if (fault instanceof UncheckedIOException unchecked) {
            return known(unchecked.getCause());
        }
        return isTooLarge(fault)
                ? Optional.of(TEXTS.get("memory"))
                : content(fault).or(() -> file(fault));
    }

    private static Optional<String> content(Throwable fault) {
        Locale locale = Texts.locale();
        if (fault instanceof TraceFormatException format) {
            String explanation = format.explanation(locale);
            return Optional.of(
                    format.inOneLine() ? TEXTS.get("line", Long.toString(format.line()), explanation) : explanation);
        }
        return fault instanceof UnreadableException unreadable
                ? Optional.of(unreadable.text(locale))
                : Optional.empty();
    }

    private static Optional<String> file(Throwable fault) {
        if (fault instanceof UnwritableException unwritable) {
            return Optional.of(unwritable.text(Texts.locale()));
        }
        if (fault instanceof NoSuchFileException) {
            return Optional.of(TEXTS.get("missing"));
        }
        if (fault instanceof AccessDeniedException) {
            return Optional.of(TEXTS.get("denied"));
        }
        if (fault instanceof EOFException || fault instanceof ZipException) {
            return Optional.of(TEXTS.get("cut"));
        }
        return fault instanceof FileSystemException ? Optional.of(TEXTS.get("irregular")) : Optional.empty();
    }
}
