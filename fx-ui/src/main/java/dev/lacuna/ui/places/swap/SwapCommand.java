package dev.lacuna.ui.places.swap;

import java.util.ArrayList;
import java.util.List;

/** The command line that starts a script so that it can swap. */
final class SwapCommand {
    private static final String LAUNCHER = "python3 -m lacuna --swap on";

    private SwapCommand() {}

    /** For this command; with a placeholder where it names no script. */
    static String of(String command) {
        List<String> words = new ArrayList<>(List.of(command.strip().split("\\s+")));
        int script = 0;
        while (script < words.size() && !words.get(script).endsWith(".py")) {
            script++;
        }
        return script == words.size()
                ? LAUNCHER + " train.py"
                : LAUNCHER + " " + String.join(" ", words.subList(script, words.size()));
    }
}
