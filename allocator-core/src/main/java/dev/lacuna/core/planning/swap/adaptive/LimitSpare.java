package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;

/**
 * What a plan leaves of a limit, so that it holds where the limit does.
 *
 * <p>A plan counts allocated bytes, a process's limit is on what its allocator reserves; and steps differ. Published
 * optima and files about models know no allocator: there a plan may fill its budget to the last byte.
 *
 * @param bytes left of every limit, from 0
 * @param share of the limit left beside those, from 0 to below 1
 */
public record LimitSpare(long bytes, double share) {
    /** Granularity of the agent's reserved memory. */
    private static final long CHUNK = 2L << 20;

    /** For budgets that are no process's limit. */
    public static final LimitSpare NONE = new LimitSpare(0, 0);

    /** Left of every limit of a process, beside two chunks. */
    private static final double SHARE = 0.02;

    /**
     * For the limit of the process that this was measured in.
     *
     * <ul>
     *   <li>Two chunks: measured peaks lay up to one above the predicted ones (docs/performance.md), and another one is
     *       begun but not full.
     *   <li>A fiftieth: allocators that are held to a limit finished real traces of 2 GiB and more with up to 0.5 % beyond
     *       what was allocated, and the shapes of a step vary.
     *   <li>The gradients of one layer's output and input, as large as those: a profile tells what layers keep, not what a
     *       backward pass makes beside it, and that is not there yet at the peak of a step that keeps everything. Without
     *       it plans 8 MiB below a limit of 46 ran out of memory on a ResNet.
     * </ul>
     */
    public static LimitSpare ofProcess(LayerProfile profile) {
        List<LayerMeasurement> layers = profile.layers();
        long gradients = 0;
        for (int i = 0; i < layers.size(); i++) {
            long output = i + 1 < layers.size() ? layers.get(i + 1).inputBytes() : 0;
            gradients = Math.max(gradients, layers.get(i).inputBytes() + output);
        }
        return new LimitSpare(2 * CHUNK + gradients, SHARE);
    }

    public LimitSpare {
        if (bytes < 0 || !(share >= 0 && share < 1)) {
            throw new IllegalArgumentException("a spare of " + bytes + " bytes and a share of " + share);
        }
    }

    /** Bytes left of this limit, at most all of it. */
    public long of(long limitBytes) {
        return Math.min(limitBytes, bytes + (long) Math.ceil(limitBytes * share));
    }

    /** What a plan may fill of this limit, bytes. */
    public long plannable(long limitBytes) {
        return limitBytes - of(limitBytes);
    }

    /** The least limit of which a plan may fill this much, bytes. */
    public long limitFor(long planBytes) {
        long limit = (long) Math.floor((planBytes + bytes) / (1 - share));
        while (plannable(limit) < planBytes) {
            limit++;
        }
        return limit;
    }
}
