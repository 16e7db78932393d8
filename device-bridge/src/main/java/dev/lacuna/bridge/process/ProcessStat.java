package dev.lacuna.bridge.process;

import java.util.Optional;

/**
 * Facts of {@code /proc/PID/stat}.
 *
 * @param name the program's name, field 2, cut by the kernel; changes when the process becomes another program
 * @param state the kernel's letter for the process's state, field 3
 * @param parent pid of the process that it is a child of, field 4; 0 where that is not to be seen from here
 * @param startTicks when it started, clock ticks since boot, field 22; with the pid it names the process for good
 * @param argumentsAt where its command line lies in its memory, field 48; 0 where this user may not know
 */
public record ProcessStat(String name, char state, long parent, long startTicks, long argumentsAt) {
    /** Positions of fields 4, 22 and 48 counted from field 3, the first behind the command name. */
    private static final int PARENT_AFTER_STATE = 1;

    private static final int START_AFTER_STATE = 19;
    private static final int ARGUMENTS_AFTER_STATE = 45;

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
                    line.substring(begin + 1, end),
                    fields[0].charAt(0),
                    Long.parseLong(fields[PARENT_AFTER_STATE]),
                    Long.parseLong(fields[START_AFTER_STATE]),
                    fields.length > ARGUMENTS_AFTER_STATE ? Long.parseUnsignedLong(fields[ARGUMENTS_AFTER_STATE]) : 0));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
