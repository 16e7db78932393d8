package dev.lacuna.app.cli;

import dev.lacuna.core.trace.TraceFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.zip.ZipException;

/** Says why a trace or a snapshot could not be read, in the user's language. */
final class InputFaults {
    private InputFaults() {}

    static String explanation(IOException fault) {
        if (fault instanceof TraceFormatException format) {
            String explanation = format.explanation(Locale.getDefault());
            return format.inOneLine()
                    ? CliTexts.text("replay.line", String.valueOf(format.line()), explanation)
                    : explanation;
        }
        if (fault instanceof NoSuchFileException) {
            return CliTexts.text("replay.no.such");
        }
        if (fault instanceof EOFException || fault instanceof ZipException) {
            return CliTexts.text("replay.cut");
        }
        if (fault instanceof AccessDeniedException) {
            return CliTexts.text("diagnose.denied");
        }
        return fault.getLocalizedMessage() == null ? fault.toString() : fault.getLocalizedMessage();
    }
}
