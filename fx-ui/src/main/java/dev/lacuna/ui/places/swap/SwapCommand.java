package dev.lacuna.ui.places.swap;

import dev.lacuna.core.base.ProgramName;
import java.util.Collections;
import java.util.List;

/** The command line that starts a training so that it can swap. */
final class SwapCommand {
    private static final List<String> OTHER_WAY = List.of("-m", "lacuna");

    private SwapCommand() {}

    /** For this command; with a placeholder where there is none. One that starts Lacuna itself starts its script instead. */
    static String of(String command) {
        List<String> words = List.of(command.strip().split("\\s+"));
        int way = Collections.indexOfSubList(words, OTHER_WAY);
        if (way > 0) {
            int script = way;
            while (script < words.size() && !words.get(script).endsWith(".py")) {
                script++;
            }
            return of(words.get(0) + " "
                    + (script == words.size() ? "train.py" : String.join(" ", words.subList(script, words.size()))));
        }
        return ProgramName.text() + " run --swap on -- " + (command.isBlank() ? "python3 train.py" : command.strip());
    }
}
