package dev.lacuna.core.allocator.model;

import dev.lacuna.core.allocator.expandable.ExpandableSegmentsAllocator;

/** Is told when an {@link ExpandableSegmentsAllocator} maps or unmaps memory. */
public interface MappingListener {
    /** Listens to nothing. */
    MappingListener NONE = new MappingListener() {
        @Override
        public void mapped(int range, long offset, long bytes) {}

        @Override
        public void unmapped(int range, long offset, long bytes) {}
    };

    /** Memory lies behind these addresses from now on: a virtual range's number, the offset in it, whole pages. */
    void mapped(int range, long offset, long bytes);

    /** The memory behind these addresses went back to the device. */
    void unmapped(int range, long offset, long bytes);
}
