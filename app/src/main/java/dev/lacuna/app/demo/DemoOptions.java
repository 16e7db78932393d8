package dev.lacuna.app.demo;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the demo was asked for.
 *
 * @param workload the workload; empty for the best that is present
 * @param capacityBytes memory of the virtual device; empty for a share of what is free ({@link DemoSize})
 * @param fraction memory fraction to start with
 * @param optimisation whether it starts with the optimisation on
 * @param steps steps to train; 0 until stopped
 */
public record DemoOptions(
        Optional<Workload> workload, OptionalLong capacityBytes, double fraction, boolean optimisation, long steps) {
    /** Off at the start, so that the gap can be seen to open, and to close when it is switched on. */
    public static final DemoOptions DEFAULTS = new DemoOptions(Optional.empty(), OptionalLong.empty(), 1.0, false, 0);
}
