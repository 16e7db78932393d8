package dev.lacuna.core.allocator.planned;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.Plan;
import dev.lacuna.core.allocator.packing.Planner;
import java.util.Optional;
import java.util.function.Supplier;

/** {@link PlannedAllocator} as a policy: it plans when it is told the future, once, and then serves any number of devices. */
public final class PlannedPolicy implements AllocatorPolicy {
    private final Optional<Plan> plan;

    public PlannedPolicy() {
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
