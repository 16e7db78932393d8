package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.trace.model.OddRows;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a policy made of a trace; the figures of {@code lacuna replay --json}. Peaks are over the whole run, in bytes.
 *
 * @param policy the policy's name
 * @param events requests and frees in the trace
 * @param peakRequestedBytes highest requested
 * @param peakAllocatedBytes highest allocated
 * @param peakReservedBytes highest reserved
 * @param ooms requests that failed for good; each was skipped and its free ignored
 * @param retries requests that needed cached memory or another pool's
 * @param segments highest number of segments held, of mapped chunks under the segregated policy
 * @param remaps chunks moved between pools
 * @param steps steps that the trace marks
 * @param firstOom the request or free, counted from 1, that was the first request to fail; empty when none did
 * @param openingUse how the run began, where the trace was recorded late
 * @param truncated whether the trace ended early: the figures are those of what was whole before
 * @param odd what of the trace made no sense and was left out or taken for unknown
 * @param flushes cached memory that was given back to find room: the price of a device this small
 * @param recordedCap the lowest share of the device that the trace itself allowed, where that is less than all of it
 */
public record ReplayResult(
        String policy,
        long events,
        long peakRequestedBytes,
        long peakAllocatedBytes,
        long peakReservedBytes,
        long ooms,
        long retries,
        long segments,
        long remaps,
        long steps,
        OptionalLong firstOom,
        OpeningUse openingUse,
        boolean truncated,
        OddRows odd,
        Flushes flushes,
        OptionalDouble recordedCap) {

    /** Of a run in which no request failed, and which began with nothing. */
    public ReplayResult(
            String policy,
            long events,
            long peakRequestedBytes,
            long peakAllocatedBytes,
            long peakReservedBytes,
            long ooms,
            long retries,
            long segments,
            long remaps,
            long steps) {
        this(
                policy,
                events,
                peakRequestedBytes,
                peakAllocatedBytes,
                peakReservedBytes,
                ooms,
                retries,
                segments,
                remaps,
                steps,
                OptionalLong.empty(),
                OpeningUse.ASKED_FOR,
                false,
                OddRows.NONE,
                Flushes.NONE,
                OptionalDouble.empty());
    }

    /** The lowest cap that these runs of one trace took from it; empty where none was below the whole device. */
    public static OptionalDouble recordedCap(List<ReplayResult> runs) {
        return runs.stream().flatMapToDouble(run -> run.recordedCap().stream()).min();
    }

    /** The gap over the whole run. */
    public PeakGap gap() {
        return new PeakGap(peakReservedBytes, peakAllocatedBytes);
    }

    /** 1 − peak allocated / peak reserved; 0 where nothing was reserved. */
    public double fragmentation() {
        return gap().fragmentation();
    }

    /** Chunks moved per step; empty where the trace marks no steps. */
    public OptionalDouble remapsPerStep() {
        return steps == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) remaps / steps);
    }
}
