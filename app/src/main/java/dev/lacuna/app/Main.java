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
        int status = CommandLineFactory.FAULT;
        try {
            status = run(args);
        } finally {
            // Whatever was thrown: Java would end with 1, which means "found".
            System.exit(status);
        }
    }

    private static int run(String[] args) {
        EnvironmentLocale.of(System.getenv()).ifPresent(Locale::setDefault);
        // JSON is UTF-8 whatever the locale, and so are the texts: a C locale would turn every dash into a question
        // mark.
        RememberingOutput out = new RememberingOutput();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        int status = CommandLineFactory.run(args);
        System.out.flush();
        return out.loss().map(CommandLineFactory::outputLost).orElse(status);
    }
}
