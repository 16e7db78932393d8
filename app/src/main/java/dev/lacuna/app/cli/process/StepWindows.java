package dev.lacuna.app.cli.process;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.StepWindow;
import dev.lacuna.core.base.counters.WholeSteps;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The newest whole steps of every device of a process that is read sample by sample: what its gap is of. */
final class StepWindows {
    private final Map<Integer, WholeSteps> steps = new HashMap<>();

    /** Takes in a device's newest counters; its window, empty until a whole step has ended. */
    Optional<StepWindow> after(MemoryCounters now) {
        WholeSteps device = steps.computeIfAbsent(now.device(), number -> new WholeSteps());
        device.add(now);
        return device.window();
    }
}
