package dev.lacuna.bridge.process;

import java.util.Optional;

/**
 * Two facts of {@code /proc/PID/stat}.
 *
 * @param state the kernel's letter for the process's state, field 3
 * @param startTicks when it started, clock ticks since boot, field 22; with the pid it names the process for good
 */
record ProcessStat(char state, long startTicks) {
    /** Position of field 22 counted from field 3, the first behind the command name. */
    private static final int START_AFTER_STATE = 19;

    /** Parses the file's one line. The command name (field 2) may itself hold blanks and parentheses: the last one counts. */
    static Optional<ProcessStat> parse(String line) {
        int end = line.lastIndexOf(')');
        if (end < 0) {
            return Optional.empty();
        }
        String[] fields = line.substring(end + 1).trim().split(" +");
        if (fields.length <= START_AFTER_STATE || fields[0].length() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessStat(fields[0].charAt(0), Long.parseLong(fields[START_AFTER_STATE])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
