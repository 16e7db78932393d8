package dev.lacuna.app.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Colour for people at a terminal: none where output is piped, where {@code NO_COLOR} is set (no-color.org) and where the terminal is
 * {@code dumb}. Colour is never alone: without it the words say the same. JSON never has any.
 */
public final class Style {
    private static final Style OUT = of(System.getenv(), isTerminal("/proc/self/fd/1"));
    private static final Style ERR = of(System.getenv(), isTerminal("/proc/self/fd/2"));

    private static final int BOLD = 1;
    private static final int FAINT = 2;
    private static final int RED = 31;
    private static final int GREEN = 32;

    private final boolean coloured;

    private Style(boolean coloured) {
        this.coloured = coloured;
    }

    /** That of the output. */
    public static Style out() {
        return OUT;
    }

    /** That of messages. */
    public static Style err() {
        return ERR;
    }

    static Style of(Map<String, String> environment, boolean terminal) {
        boolean wanted = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Style(terminal && wanted);
    }

    /** What stands above others. */
    public String heading(String text) {
        return in(BOLD, text);
    }

    /** A verdict that all is well, or what is best. */
    public String good(String text) {
        return in(GREEN, text);
    }

    /** A verdict that it is not, or a fault. */
    public String bad(String text) {
        return in(RED, text);
    }

    /** What can be done next, and what is said beside the matter. */
    public String hint(String text) {
        return in(FAINT, text);
    }

    private String in(int code, String text) {
        return coloured && !text.isBlank() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    private static boolean isTerminal(String descriptor) {
        try {
            return SystemTerminal.isOne(Files.readSymbolicLink(Path.of(descriptor)));
        } catch (IOException cannotTell) {
            return false;
        }
    }
}
