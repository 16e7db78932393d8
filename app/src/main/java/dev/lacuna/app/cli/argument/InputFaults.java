package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.zip.ZipException;

/** Says why a trace or a snapshot could not be read, in the user's language. */
public final class InputFaults {
    private InputFaults() {}

    public static String explanation(IOException fault) {
        if (fault instanceof TraceFormatException format) {
            String explanation = format.explanation(Locale.getDefault());
            return format.inOneLine()
                    ? CliText.text("replay.line", String.valueOf(format.line()), explanation)
                    : explanation;
        }
        if (fault instanceof NoSuchFileException) {
            return CliText.text("replay.no.such");
        }
        if (fault instanceof EOFException || fault instanceof ZipException) {
            return CliText.text("replay.cut");
        }
        if (fault instanceof AccessDeniedException) {
            return CliText.text("diagnose.denied");
        }
        return fault.getLocalizedMessage() == null ? fault.toString() : fault.getLocalizedMessage();
    }
}
