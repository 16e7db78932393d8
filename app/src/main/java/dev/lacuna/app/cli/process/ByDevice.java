package dev.lacuna.app.cli.process;

import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is kept of each device that samples told of, in the order in which they came. */
final class ByDevice<D> {
    private final Map<Integer, D> kept = new LinkedHashMap<>();
    private final Function<String, D> made;

    /** {@code made} begins with a device of a name. */
    ByDevice(Function<String, D> made) {
        this.made = made;
    }

    D of(MemoryCounters counters) {
        return kept.computeIfAbsent(
                counters.device(), number -> made.apply(counters.name().toString()));
    }

    /** By its number, of which a sample has told. */
    D of(int number) {
        return kept.get(number);
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    Stream<D> all() {
        return kept.values().stream();
    }
}
