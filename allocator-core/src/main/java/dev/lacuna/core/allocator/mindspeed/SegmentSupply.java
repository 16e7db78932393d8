package dev.lacuna.core.allocator.mindspeed;

import dev.lacuna.core.allocator.model.Device;

/**
 * What the device grants MindSpeed's allocator: its cap first, then the memory that is really free. Near the end of what it
 * believes usable it does not even ask, unless it has just given back all it could.
 */
final class SegmentSupply {
    /** MindSpeed's memory_fail_prejudgment: asking the device in vain is slow, so the last 200 MiB are not asked for. */
    private static final long RESERVE_BYTES = 200L << 20;

    private final Device device;

    /** What MindSpeed sees as the whole: reserved plus free after the last attempt; 0 before the first. */
    private long usableBytes;

    private boolean capped;

    SegmentSupply(Device device) {
        this.device = device;
    }

    /** A cap was set; until then the device's total limits nothing of itself. */
    void capped() {
        capped = true;
    }

    boolean isCapped() {
        return capped;
    }

    /** Takes memory for a segment, unless that seems hopeless from afar. */
    boolean take(long bytes) {
        // Written so that no sum of a huge request can wrap around.
        boolean hopeless = usableBytes != 0 && bytes > usableBytes - device.reservedBytes() - RESERVE_BYTES;
        return !hopeless && insist(bytes);
    }

    /** Takes memory for a segment if there is any way. A refusal by the cap is no attempt. */
    boolean insist(long bytes) {
        if (capped && bytes > device.limitBytes() - device.reservedBytes()) {
            return false;
        }
        boolean granted = bytes <= freeBytes();
        if (granted) {
            device.take(bytes);
        }
        usableBytes = device.reservedBytes() + freeBytes();
        return granted;
    }

    private long freeBytes() {
        return Math.max(0, device.totalBytes() - device.outsideBytes() - device.reservedBytes());
    }
}
