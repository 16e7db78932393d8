package dev.lacuna.bridge.process;

import dev.lacuna.bridge.kernel.KernelMessages;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel's log tells of processes that it killed for want of memory. Users may not read it everywhere. */
public final class KernelLog {
    /** The clocks of the log and of agents are not the same one: they may differ by this share, and a second. */
    private static final double CLOCKS_DIFFER = 0.001;

    private static final Pattern STAMP = Pattern.compile("(?m)^(?:<\\d+>)?\\[ *(\\d{1,12}\\.\\d{1,9})]");
    private static final Pattern KILLED = Pattern.compile(STAMP.pattern()
            + " *(Memory cgroup out of memory|Out of memory[^:\\n]*):? Kill(?:ed)? process (\\d{1,10})\\b");

    private final Supplier<Optional<String>> text;

    /** The log of this machine. */
    public KernelLog() {
        this(KernelMessages::read);
    }

    /** A log of this text; empty: it may not be read. */
    public KernelLog(Supplier<Optional<String>> text) {
        this.text = text;
    }

    /** What the log says of a process. */
    public enum Word {
        /** Killed because a control group had reached its limit. */
        GROUP_LIMIT,
        /** Killed because the machine had no memory left. */
        MACHINE,
        /** The log reaches back to its start and does not name it. */
        NOT_NAMED,
        /** It may not be read, or does not reach back so far. */
        SILENT
    }

    /**
     * Whether it was killed for want of memory.
     *
     * @param pid in the machine's first pid namespace
     * @param startNs when it started, CLOCK_MONOTONIC: the pid was somebody else's before
     */
    public Word about(long pid, long startNs) {
        String log = text.get().orElse("");
        double from = startNs / 1e9 * (1 - CLOCKS_DIFFER) - 1;
        Matcher killed = KILLED.matcher(log);
        while (killed.find()) {
            if (Long.parseLong(killed.group(3)) == pid && Double.parseDouble(killed.group(1)) >= from) {
                return killed.group(2).startsWith("Memory cgroup") ? Word.GROUP_LIMIT : Word.MACHINE;
            }
        }
        Matcher first = STAMP.matcher(log);
        return first.find() && Double.parseDouble(first.group(1)) < from ? Word.NOT_NAMED : Word.SILENT;
    }
}
