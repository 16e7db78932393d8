package dev.lacuna.app.recipe;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;

/** What somebody writes who adds a policy: this file. */
public final class FakePolicy implements AllocatorPolicy {
    @Override
    public String name() {
        return "fake-policy";
    }

    @Override
    public Allocator on(Device device) {
        return new CachingAllocator(device);
    }
}
