package dev.lacuna.core.planning.swap.kernel;

import java.util.List;

/**
 * What came of a policy: a schedule of kernels and transfers over some steps.
 *
 * @param idealCycles of a step without any waiting
 * @param stepCycles how long each step took; the first begins with all weights away
 * @param kernelBegins when each kernel of each step began
 * @param transfers in the order in which they began
 * @param peakBytes the most memory in use on the device
 */
public record SwapRun(
        long idealCycles,
        List<Long> stepCycles,
        List<Long> kernelBegins,
        List<SwapTransfer> transfers,
        long peakBytes) {
    public SwapRun {
        stepCycles = List.copyOf(stepCycles);
        kernelBegins = List.copyOf(kernelBegins);
        transfers = List.copyOf(transfers);
    }

    /** The slowest step after the first: what training settles at, with no debt left to the step after. */
    public long settledCycles() {
        return stepCycles.stream().skip(1).mapToLong(Long::longValue).max().orElse(stepCycles.get(0));
    }

    /** Ideal over settled time, 1 at best. */
    public double shareOfIdeal() {
        return (double) idealCycles / settledCycles();
    }

    /** Bytes that left the device per step. */
    public long bytesOutPerStep() {
        return transfers.stream()
                        .filter(SwapTransfer::out)
                        .mapToLong(SwapTransfer::bytes)
                        .sum()
                / stepCycles.size();
    }
}
