package dev.lacuna.core.base.counters;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The newest whole steps of a device, as its counters tell of them. Only steps count that ran under one setting from begin to end: with the
 * first step after a change the collection begins anew, and the step that was running then, or when reading began, is left out.
 */
public final class WholeSteps {
    /** As many of the newest steps as figures come from. */
    public static final int MOST = 20;

    /**
     * What holds while a step runs.
     *
     * @param optimisation whether the segregated pools are in force
     * @param limitBytes the cap on reserved
     * @param swap what may leave the device
     */
    public record Setting(boolean optimisation, long limitBytes, SwapMode swap) {
        /** What these counters say. */
        public static Setting of(MemoryCounters now) {
            return new Setting(now.optimisation(), now.limitBytes(), now.swap().mode());
        }
    }

    private final Deque<WholeStep> steps = new ArrayDeque<>();
    private Optional<Setting> setting = Optional.empty();
    private long newest;
    private long firstWhole;

    /** Looks whether the counters tell of another whole step; true when they do. */
    public boolean add(MemoryCounters now) {
        Setting holds = Setting.of(now);
        boolean ended = now.step() > newest;
        newest = now.step();
        if (!setting.equals(Optional.of(holds))) {
            setting = Optional.of(holds);
            // Step now.step() may have ended before or after the change, now.step() + 1 is under way.
            firstWhole = now.step() + 2;
            steps.clear();
            return false;
        }
        Optional<WholeStep> last = WholeStep.last(now);
        if (!ended || now.step() < firstWhole || last.isEmpty()) {
            return false;
        }
        if (steps.size() == MOST) {
            steps.removeFirst();
        }
        steps.addLast(last.get());
        return true;
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        steps.clear();
        setting = Optional.empty();
        newest = 0;
    }

    /** What holds now; empty before the first counters. */
    public Optional<Setting> setting() {
        return setting;
    }

    /** The newest whole steps under it, {@link #MOST} at most, oldest first. */
    public List<WholeStep> steps() {
        return List.copyOf(steps);
    }

    /** Their window; empty before the first has ended. */
    public Optional<StepWindow> window() {
        return StepWindow.of(steps());
    }
}
