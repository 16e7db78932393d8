package dev.lacuna.core.planning.chain;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A time that no schedule of a chain undercuts, whoever makes it. When the last stage first runs, every stage before it
 * that never runs again has what it saved in memory; the others run twice at least. What fits then is the largest load of
 * a knapsack, and stages that may be kept in part make a larger one that is found at once.
 */
public final class ChainBound {
    private ChainBound() {}

    /**
     * The least time that recomputation takes, milliseconds.
     *
     * @param budgetBytes for all micro-batches in flight
     * @param inFlight micro-batches that are kept at once, from 1
     */
    public static double leastAgainMs(ChainProfile chain, long budgetBytes, double inFlight) {
        List<ChainStage> stages = chain.stages();
        ChainStage last = stages.get(stages.size() - 1);
        long working = last.outputBytes() + Math.min(last.outputBytes(), last.savedBytes()) + last.forwardExtraBytes();
        double room = (budgetBytes - working) / inFlight - chain.inputBytes();
        double again = 0;
        for (ChainStage stage : IntStream.range(0, stages.size() - 1)
                .mapToObj(stages::get)
                .sorted(Comparator.comparingDouble(ChainBound::worth).reversed())
                .toList()) {
            double share = stage.savedBytes() == 0 ? 1 : Math.max(0, Math.min(1, room / stage.savedBytes()));
            again += (1 - share) * stage.forwardMs();
            room -= stage.savedBytes();
        }
        return again;
    }

    private static double worth(ChainStage stage) {
        return stage.savedBytes() == 0 ? Double.POSITIVE_INFINITY : stage.forwardMs() / stage.savedBytes();
    }
}
