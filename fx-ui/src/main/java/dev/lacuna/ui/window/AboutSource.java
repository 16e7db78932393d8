package dev.lacuna.ui.window;

import java.util.Map;

/** What the window tells of the program and of the machine it runs on. */
public interface AboutSource {
    /** Name and version of this program. */
    String program();

    /** Versions of what was found, by name, in the order to show. May take seconds; called off the UI thread. */
    Map<String, String> versions();
}
