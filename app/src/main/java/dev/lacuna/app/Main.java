package dev.lacuna.app;

import dev.lacuna.app.cli.CommandLineFactory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Entry point of both faces: with no command it opens the window, with one it is the command line. */
public final class Main {
    private Main() {}

    /** Runs the program and exits with the status documented in docs/cli.md. */
    public static void main(String[] args) {
        EnvironmentLocale.of(System.getenv()).ifPresent(Locale::setDefault);
        // JSON is UTF-8 whatever the locale, and so are the texts: a C locale would turn every dash into a question
        // mark.
        System.setOut(utf8(FileDescriptor.out));
        System.setErr(utf8(FileDescriptor.err));
        int status = CommandLineFactory.create().execute(args);
        System.out.flush();
        System.exit(status);
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
