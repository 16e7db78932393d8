package dev.lacuna.bridge.process;

import java.util.Optional;

/**
 * Three facts of {@code /proc/PID/stat}.
 *
 * @param name the program's name, field 2, cut by the kernel; changes when the process becomes another program
 * @param state the kernel's letter for the process's state, field 3
 * @param startTicks when it started, clock ticks since boot, field 22; with the pid it names the process for good
 */
public record ProcessStat(String name, char state, long startTicks) {
    /** Position of field 22 counted from field 3, the first behind the command name. */
    private static final int START_AFTER_STATE = 19;

    /** Parses the file's one line. The command name (field 2) may itself hold blanks and parentheses: the last one counts. */
    public static Optional<ProcessStat> parse(String line) {
        int end = line.lastIndexOf(')');
        int begin = line.indexOf('(');
        if (begin < 0 || end < begin) {
            return Optional.empty();
        }
        String[] fields = line.substring(end + 1).trim().split(" +");
        if (fields.length <= START_AFTER_STATE || fields[0].length() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessStat(
                    line.substring(begin + 1, end), fields[0].charAt(0), Long.parseLong(fields[START_AFTER_STATE])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
