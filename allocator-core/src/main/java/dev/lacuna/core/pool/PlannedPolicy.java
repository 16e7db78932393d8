package dev.lacuna.core.pool;

import dev.lacuna.core.plan.Lifetimes;
import dev.lacuna.core.plan.Plan;
import dev.lacuna.core.plan.Planner;
import java.util.Optional;
import java.util.function.Supplier;

/** {@link PlannedAllocator} as a policy: it plans when it is told the future, once, and then serves any number of devices. */
final class PlannedPolicy implements AllocatorPolicy {
    private final Optional<Plan> plan;

    PlannedPolicy() {
        this(Optional.empty());
    }

    private PlannedPolicy(Optional<Plan> plan) {
        this.plan = plan;
    }

    @Override
    public String name() {
        return PlannedAllocator.NAME;
    }

    @Override
    public AllocatorPolicy foreseeing(Supplier<Lifetimes> future, long capacityBytes) {
        if (plan.isPresent()) {
            return this;
        }
        Lifetimes blocks = PlannedAllocator.rounded(future.get());
        return new PlannedPolicy(Optional.of(Planner.installed().plan(blocks, capacityBytes)));
    }

    @Override
    public boolean needsForesight() {
        return plan.isEmpty();
    }

    @Override
    public Allocator on(Device device) {
        return new PlannedAllocator(
                device, plan.orElseThrow(() -> new IllegalStateException("planned needs to know the trace")));
    }
}
