package dev.lacuna.ui.places.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** How many steps a second, over the last moments. */
final class StepRate {
    private static final long WINDOW_NS = 10_000_000_000L;

    private record Ended(long timeNs, long step) {}

    private final Deque<Ended> ends = new ArrayDeque<>();

    /** Takes in how many steps had ended at a moment. */
    void add(long timeNs, long step) {
        if (ends.isEmpty() || ends.getLast().step != step) {
            ends.addLast(new Ended(timeNs, step));
        }
        while (ends.size() > 2 && timeNs - ends.getFirst().timeNs > WINDOW_NS) {
            ends.removeFirst();
        }
    }

    void clear() {
        ends.clear();
    }

    /** Steps a second; empty until two step ends were seen. */
    OptionalDouble perSecond() {
        if (ends.size() < 3) {
            return OptionalDouble.empty();
        }
        // The first entry is where reading began, not the end of a step.
        long ns = ends.getLast().timeNs - ends.getFirst().timeNs;
        long steps = ends.getLast().step - ends.getFirst().step;
        return ns <= 0 ? OptionalDouble.empty() : OptionalDouble.of(steps * 1e9 / ns);
    }
}
