package dev.lacuna.app.demo;

import java.util.Optional;

/**
 * How large a demo may be on a machine where somebody trains: a quarter of the free memory at most, and never more than two
 * gibibytes, the least at which the gap of its training under stock rules opens to hundreds of megabytes. What it reserves is capped by it.
 *
 * @param capacityBytes memory of its virtual device
 * @param tokens tokens of a batch of the GPT, which its activations grow with
 */
public record DemoSize(long capacityBytes, int tokens) {
    /** Measured on PyTorch 1.13: 1.03 GiB are allocated at the peak, and 2 GiB are enough for stock rules. */
    static final DemoSize LARGEST = new DemoSize(2L << 30, 8192);

    /** A batch of one of the longest sequences: 0.2 GiB at the peak. */
    static final DemoSize SMALLEST = new DemoSize(384L << 20, 1024);

    /** What Python and PyTorch take beside the virtual device. */
    private static final long BESIDE_BYTES = 256L << 20;

    private static final int SHARE = 4;
    private static final long CHUNK = 2L << 20;

    /** Free memory below which there is no demo, bytes. */
    public static final long LEAST_FREE_BYTES = SHARE * (SMALLEST.capacityBytes + BESIDE_BYTES);

    /** The size for so much free memory; empty where that is too little. */
    public static Optional<DemoSize> within(long freeBytes) {
        long budget = Math.min(LARGEST.capacityBytes, freeBytes / SHARE - BESIDE_BYTES) / CHUNK * CHUNK;
        return budget < SMALLEST.capacityBytes ? Optional.empty() : Optional.of(new DemoSize(budget, tokensIn(budget)));
    }

    /** The share of the tokens is that of the memory, so that the gap can open on a small machine too. */
    static int tokensIn(long capacityBytes) {
        double share =
                (double) (capacityBytes - SMALLEST.capacityBytes) / (LARGEST.capacityBytes - SMALLEST.capacityBytes);
        int between = LARGEST.tokens - SMALLEST.tokens;
        return SMALLEST.tokens + (int) Math.round(Math.max(0, Math.min(1, share)) * between);
    }
}
