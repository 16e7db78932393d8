package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Steps with the optimisation off against steps with it on. Only steps that ran under one policy from begin to end
 * count: the step that was running at a switch, or when reading began, is left out.
 */
public final class BeforeAfter {
    /** As many of the newest steps as the figures come from. */
    public static final int STEPS = 20;

    private enum Policy {
        OFF,
        ON
    }

    private record Step(long peakReserved, long peakAllocated, long ns, long remaps) {}

    private final Map<Policy, Deque<Step>> steps = new EnumMap<>(Policy.class);
    private Optional<MemoryCounters> before = Optional.empty();
    private long firstWholeStep;

    /** Looks whether the counters tell of another complete step. */
    public void add(MemoryCounters now) {
        boolean switched =
                before.map(b -> b.optimisation() != now.optimisation()).orElse(true);
        if (switched) {
            // Step now.step() may have ended before or after the switch, now.step() + 1 is under way.
            firstWholeStep = now.step() + 2;
        }
        boolean ended = before.map(b -> now.step() > b.step()).orElse(false);
        if (ended && now.step() >= firstWholeStep) {
            keep(now);
        }
        before = Optional.of(now);
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        steps.clear();
        before = Optional.empty();
    }

    /** Steps with the optimisation off; empty until one was measured. */
    public Optional<StepFigures> off() {
        return figures(Policy.OFF);
    }

    /** Steps with the optimisation on; empty until one was measured. */
    public Optional<StepFigures> on() {
        return figures(Policy.ON);
    }

    private void keep(MemoryCounters now) {
        if (now.lastStepPeakReservedBytes().isEmpty()
                || now.lastStepPeakAllocatedBytes().isEmpty()) {
            return;
        }
        Deque<Step> kept =
                steps.computeIfAbsent(now.optimisation() ? Policy.ON : Policy.OFF, policy -> new ArrayDeque<>());
        if (kept.size() == STEPS) {
            kept.removeFirst();
        }
        kept.addLast(new Step(
                now.lastStepPeakReservedBytes().getAsLong(),
                now.lastStepPeakAllocatedBytes().getAsLong(),
                now.lastStepNs().orElse(0),
                now.lastStepRemaps()));
    }

    private Optional<StepFigures> figures(Policy policy) {
        Deque<Step> kept = steps.getOrDefault(policy, new ArrayDeque<>());
        return kept.stream().max(Comparator.comparingLong(Step::peakReserved)).map(highest -> {
            List<Long> durations = kept.stream().map(Step::ns).sorted().toList();
            return new StepFigures(
                    kept.size(),
                    highest.peakReserved(),
                    highest.peakReserved() - highest.peakAllocated(),
                    durations.get(durations.size() / 2),
                    durations.get(durations.size() - 1) - durations.get(0),
                    kept.stream().mapToLong(Step::remaps).average().orElse(0));
        });
    }
}
