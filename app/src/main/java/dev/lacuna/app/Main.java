package dev.lacuna.app;

import dev.lacuna.app.cli.CommandLineFactory;

/** Entry point of both faces: with no command it opens the window, with one it is the command line. */
public final class Main {
    private Main() {}

    /** Runs the program and exits with the status documented in docs/cli.md. */
    public static void main(String[] args) {
        int status = CommandLineFactory.create().execute(args);
        System.out.flush();
        System.exit(status);
    }
}
