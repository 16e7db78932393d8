package dev.lacuna.core.planning.swap.kernel;

import java.util.Arrays;
import java.util.Optional;

/** Plans the swapping of a trace on a machine, and says what no plan can beat. */
public final class SwapPlanner {
    /** The first step begins with the weights away, and Capuchin measures in it; the rest shows what settles. */
    private static final int STEPS = 4;

    private final KernelTrace trace;
    private final SwapMachine machine;
    private final SwapPieces pieces;

    /** A planner for one trace on one machine. */
    public SwapPlanner(KernelTrace trace, SwapMachine machine) {
        this.trace = trace;
        this.machine = machine;
        pieces = new SwapPieces(trace);
    }

    /** Most bytes that live at once when nothing is swapped. */
    public static long peakBytes(KernelTrace trace) {
        return Arrays.stream(new SwapPieces(trace).live).max().orElse(0);
    }

    /** What the kernel that uses most uses, bytes: no device with less runs the trace. */
    public static long largestKernelBytes(KernelTrace trace) {
        return trace.kernels().stream()
                .mapToLong(kernel -> kernel.tensors().stream()
                        .mapToLong(tensor -> trace.tensors().get(tensor).bytes())
                        .sum())
                .max()
                .orElse(0);
    }

    /** The schedule that a method comes to; empty when a kernel needs more than the device has. */
    public Optional<SwapRun> plan(SwapMethod method) {
        SwapPolicy policy = switch (method) {
            case LACUNA -> new ForesightSwap(pieces, machine, STEPS);
            case CAPUCHIN -> new MeasuredThenGuided(pieces, trace, machine);
            case VDNN -> new LayerOffload(pieces, trace);
            case SIZE -> OnDemandSwap.largest();
            case LRU -> OnDemandSwap.leastRecent();
        };
        return SwapSimulator.run(trace, pieces, machine, policy, STEPS);
    }

    /**
     * A time in cycles that no step can be shorter than, whatever is swapped: what does not fit during a kernel must have
     * left since the step began, unless it was not used yet; and must return until the step ends, unless it is not used
     * any more.
     */
    public long leastCycles() {
        int n = pieces.kernels;
        long[] out = new long[n];
        long[] in = new long[n];
        for (int k = 0; k < n; k++) {
            out[k] = pieces.live[k] - machine.deviceBytes();
            in[k] = out[k];
        }
        for (int p = 0; p < pieces.count; p++) {
            if (pieces.global[p]) {
                for (int k = 0; k < pieces.firstUse(p); k++) {
                    out[k] -= pieces.bytes[p];
                }
                for (int k = pieces.lastUse(p) + 1; k < n; k++) {
                    in[k] -= pieces.bytes[p];
                }
            }
        }
        long[] after = new long[n + 1];
        for (int k = n - 1; k >= 0; k--) {
            long own = trace.kernels().get(k).cycles();
            after[k] = own + Math.max(after[k + 1], moving(in[k]));
        }
        long least = after[0];
        long before = 0;
        for (int k = 0; k < n; k++) {
            before = Math.max(before, moving(out[k]));
            least = Math.max(least, before + after[k]);
            before += trace.kernels().get(k).cycles();
        }
        return least;
    }

    private long moving(long bytes) {
        return bytes <= 0 ? 0 : (long) (bytes / machine.linkBytesPerSecond() * machine.clockHz());
    }
}
