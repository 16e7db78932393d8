package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.PassState;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The least time that both passes can take once the first layers are decided.
 *
 * <p>When the last layer begins, all but so many bytes must have left. Recomputing frees some, for time; the rest must
 * go over the link, at its best rate, while the layers before run, or be waited for. Layers may be recomputed in part
 * here, so this is less than what can be had. The two waits, on the way out and on the way back, are weighed by
 * multipliers between 0 and 1; any multipliers give a bound, and those at which a layer is as well recomputed as waited
 * for are tried.
 */
final class RemainderBound {
    private static final int MOST_MULTIPLIERS = 40;
    /** Where no layer can be swapped: a second a byte. */
    private static final double NO_LINK_NS = 1e9;

    private final int last;
    private final long[] forwardAfterNs;
    private final long[] backwardAfterNs;
    private final long[] savedAfter;
    private final long roomForward;
    private final long roomBackward;
    private final double outNsPerByte;
    private final double inNsPerByte;
    private final List<Multipliers> tried = new ArrayList<>();

    /**
     * @param reduced what recomputing where it pays takes off the sum, from each layer on: not above 0
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Multipliers(double out, double in, double[] reduced) {}

    RemainderBound(LayerCosts costs, long limitBytes) {
        int layers = costs.count();
        last = layers - 1;
        forwardAfterNs = new long[layers + 1];
        backwardAfterNs = new long[layers + 1];
        savedAfter = new long[layers + 1];
        for (int i = layers - 1; i >= 0; i--) {
            forwardAfterNs[i] = forwardAfterNs[i + 1] + costs.forwardNs(i);
            backwardAfterNs[i] = backwardAfterNs[i + 1] + costs.backwardNs(i, LayerAction.KEEP);
            savedAfter[i] = savedAfter[i + 1] + costs.savedBytes(i);
        }
        roomForward = limitBytes
                - Math.min(costs.forwardBytes(last, LayerAction.KEEP), costs.forwardBytes(last, LayerAction.RECOMPUTE));
        roomBackward = limitBytes - costs.backwardBytes(last, LayerAction.KEEP);
        outNsPerByte = IntStream.range(0, layers)
                .filter(costs::canSwap)
                .mapToDouble(i -> (double) costs.copyOutNs(i) / costs.savedBytes(i))
                .min()
                .orElse(NO_LINK_NS);
        inNsPerByte = IntStream.range(0, layers)
                .filter(costs::canSwap)
                .mapToDouble(i -> (double) costs.copyInNs(i) / costs.savedBytes(i))
                .min()
                .orElse(NO_LINK_NS);
        chooseMultipliers(costs);
    }

    private void chooseMultipliers(LayerCosts costs) {
        double[] rates = IntStream.range(0, last)
                .filter(costs::canRecompute)
                .mapToDouble(i -> costs.forwardNs(i) / freed(costs, i))
                .sorted()
                .distinct()
                .toArray();
        add(costs, 1, 0);
        add(costs, 1, 1);
        int tries = Math.min(rates.length, MOST_MULTIPLIERS);
        for (int i = 0; i < tries; i++) {
            double rate = rates[tries == 1 ? 0 : (int) ((long) i * (rates.length - 1) / (tries - 1))];
            double both = rate / (rate + outNsPerByte + inNsPerByte);
            add(costs, both, both);
            add(costs, outNsPerByte > 0 ? rate / outNsPerByte : 1, 0);
            add(costs, 0, rate / (rate + inNsPerByte));
            add(costs, 1, (rate - outNsPerByte) / (rate + inNsPerByte));
        }
    }

    private static double freed(LayerCosts costs, int layer) {
        return costs.savedBytes(layer) - costs.heldBytes(layer, LayerAction.RECOMPUTE);
    }

    private void add(LayerCosts costs, double out, double in) {
        if (!(out >= 0 && out <= 1 && in >= 0 && in <= 1)) {
            return;
        }
        double[] reduced = new double[last + 2];
        for (int i = last - 1; i >= 0; i--) {
            double gain = costs.canRecompute(i)
                    ? costs.forwardNs(i) * (1 - in) - (out * outNsPerByte + in * inNsPerByte) * freed(costs, i)
                    : 0;
            reduced[i] = reduced[i + 1] + Math.min(0, gain);
        }
        tried.add(new Multipliers(out, in, reduced));
    }

    /**
     * @param next the first undecided layer
     * @param heldBytes what the decided ones hold once nothing is on its way, and what is beside layers
     */
    long leastNs(int next, long heldBytes, PassState forward, PassState reversed) {
        long undisturbed = forward.nowNs() + forwardAfterNs[next] + reversed.nowNs() + backwardAfterNs[next];
        long drained = Math.max(forward.nowNs() + forwardAfterNs[next], forward.linkFreeNs())
                + Math.max(reversed.nowNs() + backwardAfterNs[next], reversed.linkFreeNs());
        if (next >= last) {
            return drained;
        }
        long full = heldBytes + savedAfter[next] - savedAfter[last];
        double out = waitNs(full - roomForward, forward, outNsPerByte) - forwardAfterNs[next] + forwardAfterNs[last];
        double in = waitNs(full - roomBackward, reversed, inNsPerByte) - backwardAfterNs[next] + backwardAfterNs[last];
        double most = 0;
        for (Multipliers each : tried) {
            most = Math.max(most, each.out * out + each.in * in + each.reduced[next]);
        }
        return Math.max(drained, undisturbed + (long) Math.floor(most - 1));
    }

    /** Time on the link until that much has left, of what is leaving already and of what is to come. */
    private static double waitNs(long bytes, PassState pass, double nsPerByte) {
        long leaving = pass.pendingBytes();
        double backlog = Math.min(Math.max(0, pass.linkFreeNs() - pass.nowNs()), nsPerByte * leaving);
        return backlog + nsPerByte * bytes;
    }
}
