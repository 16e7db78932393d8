package dev.lacuna.app.cli.output;

import java.util.Map;

/** Where a window can be opened. */
public final class Display {
    private Display() {}

    /** @throws CommandFailure USAGE where there is none */
    public static void require() {
        if (!isThere(System.getenv())) {
            throw new CommandFailure(ExitStatus.USAGE, CliText.text("usage.display"));
        }
    }

    static boolean isThere(Map<String, String> environment) {
        return !environment.getOrDefault("DISPLAY", "").isEmpty()
                || !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
    }
}
