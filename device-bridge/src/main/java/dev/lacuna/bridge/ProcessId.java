package dev.lacuna.bridge;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people call a training process: its pid or, where it has none in this program's pid namespace, as in a container
 * beside this one, its namespace and its pid there: {@code 4026532281:1}. The two are never taken for each other.
 *
 * @param namespace inode of the pid namespace in which the pid holds; empty: this program's own
 * @param pid process id
 */
public record ProcessId(OptionalLong namespace, long pid) {
    private static final Pattern WRITTEN = Pattern.compile("(?:([1-9][0-9]{0,17}):)?([1-9][0-9]{0,17})");

    /** A process of this program's own namespace. */
    public static ProcessId here(long pid) {
        return new ProcessId(OptionalLong.empty(), pid);
    }

    /** Reads what {@link #toString} writes. */
    public static Optional<ProcessId> parse(String text) {
        Matcher m = WRITTEN.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        OptionalLong namespace =
                m.group(1) == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(m.group(1)));
        return Optional.of(new ProcessId(namespace, Long.parseLong(m.group(2))));
    }

    @Override
    public String toString() {
        return namespace.isPresent() ? namespace.getAsLong() + ":" + pid : Long.toString(pid);
    }
}
