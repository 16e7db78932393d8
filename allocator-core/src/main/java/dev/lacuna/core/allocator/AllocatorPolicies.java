package dev.lacuna.core.allocator;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.expandable.ExpandableSegmentsAllocator;
import dev.lacuna.core.allocator.mindspeed.LifetimePoolAllocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.planned.PlannedPolicy;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.Registered;
import java.util.List;
import java.util.Optional;

/** The policies that can be replayed, by name: adding one is one class and one line here. */
public final class AllocatorPolicies {
    private static final List<AllocatorPolicy> ALL = Registered.of(
            AllocatorPolicy.class,
            AllocatorPolicy.online(CachingAllocator.NAME, CachingAllocator::new),
            AllocatorPolicy.online(ExpandableSegmentsAllocator.NAME, ExpandableSegmentsAllocator::new),
            AllocatorPolicy.online(LifetimePoolAllocator.NAME, LifetimePoolAllocator::new),
            AllocatorPolicy.online(SegregatedPoolAllocator.NAME, SegregatedPoolAllocator::new),
            new PlannedPolicy());

    private AllocatorPolicies() {}

    /** The policy of this name. */
    public static Optional<AllocatorPolicy> named(String name) {
        return ALL.stream().filter(policy -> policy.name().equals(name)).findFirst();
    }

    /** All policies, in the order in which they are shown. */
    public static List<AllocatorPolicy> all() {
        return ALL;
    }
}
