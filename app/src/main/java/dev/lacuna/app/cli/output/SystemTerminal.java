package dev.lacuna.app.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The terminal that this program was started in; what it asks and tells goes to stderr. */
public final class SystemTerminal implements Terminal {
    private static final Path STDIN = Path.of("/proc/self/fd/0");

    @Override
    public boolean isThere() {
        // From Java 22 on there is a console even where nobody sits.
        return System.console() != null && readsFromOne();
    }

    @Override
    public Optional<String> ask(String prompt) {
        System.err.print(prompt + " ");
        System.err.flush();
        return Optional.ofNullable(System.console().readLine());
    }

    @Override
    public void tell(String line) {
        System.err.println(line);
    }

    /** Whether a descriptor that leads here leads to a terminal. */
    static boolean isOne(Path target) {
        return target.toString().matches("/dev/(pts/\\d+|tty.*|console|hvc\\d+)");
    }

    private static boolean readsFromOne() {
        try {
            return isOne(Files.readSymbolicLink(STDIN));
        } catch (IOException e) {
            // Without a way to tell, nobody is waited for.
            return false;
        }
    }
}
