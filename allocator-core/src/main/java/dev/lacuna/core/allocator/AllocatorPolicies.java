package dev.lacuna.core.allocator;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.expandable.ExpandableSegmentsAllocator;
import dev.lacuna.core.allocator.mindspeed.LifetimePoolAllocator;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.planned.PlannedAllocator;
import dev.lacuna.core.allocator.planned.PlannedPolicy;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The policies that can be replayed, by name: adding one is one class and one line here. */
public final class AllocatorPolicies {
    private static final Map<String, AllocatorPolicy> BY_NAME = new LinkedHashMap<>();

    static {
        register(CachingAllocator.NAME, CachingAllocator::new);
        register(ExpandableSegmentsAllocator.NAME, ExpandableSegmentsAllocator::new);
        register(LifetimePoolAllocator.NAME, LifetimePoolAllocator::new);
        register(SegregatedPoolAllocator.NAME, SegregatedPoolAllocator::new);
        BY_NAME.put(PlannedAllocator.NAME, new PlannedPolicy());
    }

    private AllocatorPolicies() {}

    /** The policy of this name. */
    public static Optional<AllocatorPolicy> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** All policies. */
    public static List<AllocatorPolicy> all() {
        return List.copyOf(BY_NAME.values());
    }

    private static void register(String name, Function<Device, Allocator> factory) {
        BY_NAME.put(name, AllocatorPolicy.online(name, factory));
    }
}
