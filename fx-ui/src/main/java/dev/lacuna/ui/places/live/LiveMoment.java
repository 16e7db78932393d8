package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All figures of one sample, as they stood when it came.
 *
 * @param timeNs when, on the monotonic clock
 * @param timeMs the same on the wall clock, milliseconds since the epoch
 * @param counters the device's counters
 * @param gap the gap of the whole steps that had ended
 * @param notice what was to be said of it
 * @param comparison steps without and with the optimisation until then
 * @param stepsPerSecond over the last moments before it
 */
record LiveMoment(
        long timeNs,
        long timeMs,
        MemoryCounters counters,
        Optional<WindowGap> gap,
        Optional<GapNotice> notice,
        Comparison comparison,
        OptionalDouble stepsPerSecond) {}
