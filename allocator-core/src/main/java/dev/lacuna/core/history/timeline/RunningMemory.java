package dev.lacuna.core.history.timeline;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.history.model.DeviceHistory;

/** A device's memory while its events are gone through, in bytes. What segments do to it is told by who knows them. */
final class RunningMemory {
    long reserved;
    long allocated;
    long requested;
    long pending;
    long releasable;

    /** Memory of the blocks that were there before the first event. */
    static RunningMemory ofOpeningBlocks(DeviceHistory device) {
        RunningMemory memory = new RunningMemory();
        for (int a = 0; a < device.openingAllocations(); a++) {
            if (device.freedAt(a) == DeviceHistory.NONE) {
                memory.pending += device.bytesOf(a);
            } else {
                memory.allocated += device.bytesOf(a);
                memory.requested += device.requestedOf(a);
            }
        }
        return memory;
    }

    /** What an event does to its block. A free is told at once, or in two: asked for, and completed when no stream uses it. */
    void apply(DeviceHistory device, int event) {
        int a = device.allocation(event);
        if (a == DeviceHistory.NONE) {
            return;
        }
        long bytes = device.bytesOf(a);
        if (device.bornAt(a) == event) {
            allocated += bytes;
            requested += device.requestedOf(a);
        } else if (device.freedAt(a) == event) {
            allocated -= bytes;
            requested -= device.requestedOf(a);
            pending += device.diedAt(a) == event ? 0 : bytes;
        } else if (device.diedAt(a) == event) {
            pending -= bytes;
        }
    }

    long of(MemorySeries series) {
        return switch (series) {
            case RESERVED -> reserved;
            case ALLOCATED -> allocated;
            case ACTIVE -> allocated + pending;
            case REQUESTED -> requested;
            case RELEASABLE -> GapParts.releasableWithin(reserved - allocated, releasable, pending);
            case SPLIT -> reserved - allocated - pending - of(MemorySeries.RELEASABLE);
            case PENDING -> pending;
        };
    }
}
