package dev.lacuna.app.cli;

import dev.lacuna.core.replay.ReplayResult;
import java.util.OptionalLong;

/**
 * What one policy made of a trace, with the smallest capacity where that was asked for and there is one.
 *
 * @param result the figures of the replay
 * @param smallestBytes smallest capacity without an out-of-memory; empty: not asked for, or none suffices
 * @param foresight whether the policy knew the trace beforehand: a bound, and no rival
 */
record ReplayRow(ReplayResult result, OptionalLong smallestBytes, boolean foresight) {
    /** Peak reserved − peak allocated, in bytes. */
    long gapBytes() {
        return result.peakReservedBytes() - result.peakAllocatedBytes();
    }
}
