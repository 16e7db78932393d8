package dev.lacuna.core.trace.snapshot.model;

/** What the blocks of one segment sum up to, for files whose segments do not say. Bytes. */
public final class SegmentSums {
    private long totalBytes;
    private long allocatedBytes;
    private long activeBytes;
    private long requestedBytes;

    public void add(BlockState state, long bytes, long asked) {
        totalBytes += bytes;
        allocatedBytes += state == BlockState.ALLOCATED ? bytes : 0;
        activeBytes += state == BlockState.FREE ? 0 : bytes;
        requestedBytes += state == BlockState.ALLOCATED ? asked : 0;
    }

    long totalBytes() {
        return totalBytes;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    long activeBytes() {
        return activeBytes;
    }

    long requestedBytes() {
        return requestedBytes;
    }
}
