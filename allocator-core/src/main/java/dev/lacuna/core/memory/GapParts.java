package dev.lacuna.core.memory;

/**
 * The three parts of the gap between reserved and allocated, in bytes. They sum to reserved − allocated.
 *
 * @param releasableBytes wholly free segments or chunks: ordinary caching, given back before an out-of-memory
 * @param splitBytes free pieces of partly used segments or chunks: fragmentation proper
 * @param pendingBytes freed by the trainer while a stream still uses them
 */
public record GapParts(long releasableBytes, long splitBytes, long pendingBytes) {
    /** No gap at all. */
    public static final GapParts NONE = new GapParts(0, 0, 0);

    /** The whole gap in bytes. */
    public long totalBytes() {
        return releasableBytes + splitBytes + pendingBytes;
    }
}
