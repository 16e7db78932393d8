package dev.lacuna.ui.parts;

import java.util.ArrayList;
import java.util.List;

/** A command line short enough for a headline. */
public final class CommandName {
    private CommandName() {}

    /** Program and script without their folders, such as {@code python3 train_gpt.py}; options are left out. */
    public static String of(String command) {
        List<String> words = new ArrayList<>();
        boolean module = false;
        for (String word : command.strip().split("\\s+")) {
            boolean option = word.startsWith("-");
            // "python3 -m lacuna train.py" runs train.py.
            boolean launcher = module && word.equals("lacuna");
            if (!option && !launcher) {
                words.add(word.substring(word.lastIndexOf('/') + 1));
            }
            module = word.equals("-m");
            if (words.size() == 2) {
                break;
            }
        }
        return String.join(" ", words);
    }
}
