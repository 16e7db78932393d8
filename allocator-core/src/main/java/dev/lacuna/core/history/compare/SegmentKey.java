package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.model.SegmentState;
import java.util.OptionalLong;

/**
 * A segment, or a kind of segments.
 *
 * @param address where it begins; empty for a kind, because addresses of two runs have nothing to do with each other
 * @param eachBytes the size of each of a kind; 0 for one segment, which may have grown
 * @param large whether it belongs to a large pool
 * @param expandable whether it grows in place
 */
public record SegmentKey(OptionalLong address, long eachBytes, boolean large, boolean expandable) {
    static SegmentKey one(SegmentState state, int i) {
        return new SegmentKey(OptionalLong.of(state.address(i)), 0, state.large(i), state.expandable(i));
    }

    static SegmentKey kind(SegmentState state, int i) {
        return new SegmentKey(OptionalLong.empty(), state.totalBytes(i), state.large(i), state.expandable(i));
    }
}
