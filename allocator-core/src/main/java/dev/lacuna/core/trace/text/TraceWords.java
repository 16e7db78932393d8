package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.event.EventKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands of trace text. */
final class TraceWords {
    /** What is no event: the device's capacity. */
    static final String TOTAL = "total";

    /** All of them. */
    static final Set<String> ALL = Stream.concat(
                    Stream.of(TOTAL),
                    Stream.of(
                                    EventKind.ALLOC,
                                    EventKind.FREE,
                                    EventKind.PHASE,
                                    EventKind.EMPTY_CACHE,
                                    EventKind.STATS,
                                    EventKind.OUTSIDE,
                                    EventKind.LIMIT)
                            .map(TraceWords::of))
            .collect(Collectors.toUnmodifiableSet());

    private TraceWords() {}

    /** The command for an event that a trace can ask for. A cap is told as a share here, and called so. */
    static String of(EventKind kind) {
        return kind == EventKind.LIMIT ? "fraction" : kind.label();
    }
}
