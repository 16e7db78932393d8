package dev.lacuna.bridge;

import java.util.Map;

/** Signals as Linux numbers them on x86-64, as far as they end trainings. */
final class Signals {
    static final int INTERRUPT = 2;
    static final int KILL = 9;

    /** What is added to a signal where it stands for an exit status. */
    static final int BASE = 128;

    static final int MOST = 64;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(INTERRUPT, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(KILL, "SIGKILL"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"));

    private Signals() {}

    /** {@code 9 (SIGKILL)}. */
    static String named(int signal) {
        String name = NAMES.get(signal);
        return name == null ? Integer.toString(signal) : signal + " (" + name + ")";
    }
}
