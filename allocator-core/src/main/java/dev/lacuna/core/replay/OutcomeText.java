package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.base.counters.MemoryCounters;

/** What became of a row of trace text, in the words that follow {@code =>} (docs/lifetime-pools.md). */
final class OutcomeText {
    private OutcomeText() {}

    /** Where the block of a request lies, or why there is none; empty for a request of no bytes that got no block. */
    static String ofRequest(int block, Outcome outcome, Allocator allocator) {
        return switch (outcome) {
            case PLACED ->
                placed(
                        allocator
                                .placement(block)
                                .orElseThrow(() -> new IllegalStateException("placed, but not live: " + block)),
                        allocator);
            case OUT_OF_MEMORY -> "oom " + allocator.outOfMemoryMessage();
            case EMPTY -> "";
        };
    }

    /** The counters now. */
    static String ofStats(Allocator allocator) {
        MemoryCounters c = allocator.counters();
        return "reserved=" + c.reservedBytes() + " allocated=" + c.allocatedBytes() + " active=" + c.activeBytes()
                + " requested=" + c.requestedBytes() + " segs=" + c.segments() + " inactive_split="
                + allocator.splitBlocks() + "/" + c.gap().splitBytes() + " retries=" + c.retries() + " ooms="
                + c.ooms() + " peak_res=" + c.peakReservedBytes();
    }

    private static String placed(Placement p, Allocator allocator) {
        return "pool=" + p.pool().label() + " block=" + p.blockBytes() + " offset=" + p.offsetBytes() + " segment="
                + p.segment() + " split=" + (p.split() ? "yes" : "no");
    }
}
