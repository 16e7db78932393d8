package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.base.ByteSize;
import java.util.Map;

/** Counters of an answer in a line for people. */
final class CounterSummary {
    private CounterSummary() {}

    static String of(Map<String, Long> counters) {
        long reserved = counters.getOrDefault("reserved_bytes", 0L);
        long allocated = counters.getOrDefault("allocated_bytes", 0L);
        return CliText.text(
                "set.summary",
                ByteSize.format(reserved),
                ByteSize.format(allocated),
                ByteSize.format(reserved - allocated));
    }
}
