package dev.lacuna.core.planning.swap.adaptive.step;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What each layer of a profile takes under each action, in nanoseconds and bytes.
 *
 * <p>A recomputed layer keeps its input and has everything once more while it goes backward, input and all: where the
 * layer saves its own input that is counted twice, so that a plan errs to the safe side.
 */
public final class LayerCosts {
    private static final double NS_PER_SECOND = 1e9;

    private final LayerProfile profile;
    private final List<LayerMeasurement> layers;

    public LayerCosts(LayerProfile profile) {
        this.profile = profile;
        this.layers = profile.layers();
    }

    public int count() {
        return layers.size();
    }

    public long otherBytes() {
        return profile.otherBytes();
    }

    public long savedBytes(int layer) {
        return layers.get(layer).savedBytes();
    }

    /** Whether anything can be gained by moving the layer. */
    public boolean canSwap(int layer) {
        LayerMeasurement each = layers.get(layer);
        boolean link = profile.linkBytesPerSecond() > 0 || each.copyOutNs() > 0 && each.copyInNs() > 0;
        return link && each.savedBytes() > 0 && each.possible().contains(LayerAction.SWAP);
    }

    /** Whether anything can be gained by recomputing the layer. */
    public boolean canRecompute(int layer) {
        LayerMeasurement each = layers.get(layer);
        return each.inputBytes() < each.savedBytes() && each.possible().contains(LayerAction.RECOMPUTE);
    }

    public long forwardNs(int layer) {
        return layers.get(layer).forwardNs();
    }

    public long backwardNs(int layer, LayerAction action) {
        LayerMeasurement each = layers.get(layer);
        return each.backwardNs() + (action == LayerAction.RECOMPUTE ? each.forwardNs() : 0);
    }

    public long copyOutNs(int layer) {
        LayerMeasurement each = layers.get(layer);
        return each.copyOutNs() > 0 ? each.copyOutNs() : atLinkRate(each.savedBytes());
    }

    public long copyInNs(int layer) {
        LayerMeasurement each = layers.get(layer);
        return each.copyInNs() > 0 ? each.copyInNs() : atLinkRate(each.savedBytes());
    }

    private long atLinkRate(long bytes) {
        long rate = profile.linkBytesPerSecond();
        return rate > 0 ? (long) Math.ceil(bytes * NS_PER_SECOND / rate) : 0;
    }

    /** Bytes between the layer's two passes once a copy is over. */
    public long heldBytes(int layer, LayerAction action) {
        return switch (action) {
            case KEEP -> savedBytes(layer);
            case SWAP -> 0;
            case RECOMPUTE -> layers.get(layer).inputBytes();
        };
    }

    /** Bytes during the forward pass and at its end. */
    public long forwardBytes(int layer, LayerAction action) {
        return action == LayerAction.RECOMPUTE ? layers.get(layer).inputBytes() : savedBytes(layer);
    }

    /** Bytes during the backward pass. */
    public long backwardBytes(int layer, LayerAction action) {
        return savedBytes(layer)
                + (action == LayerAction.RECOMPUTE ? layers.get(layer).inputBytes() : 0);
    }

    /** What a policy comes to: a layer of which an action cannot be asked stays as it is. */
    public List<LayerAction> effective(LayerPolicy policy) {
        List<LayerAction> actions = policy.actions();
        if (actions.size() != count()) {
            throw new IllegalArgumentException(
                    "a policy of " + actions.size() + " layers for a process that has " + count());
        }
        return IntStream.range(0, count())
                .mapToObj(i -> possible(i, actions.get(i)) ? actions.get(i) : LayerAction.KEEP)
                .toList();
    }

    private boolean possible(int layer, LayerAction action) {
        return switch (action) {
            case KEEP -> true;
            case SWAP -> canSwap(layer);
            case RECOMPUTE -> layers.get(layer).possible().contains(action);
        };
    }

    /** The forward pass after one more layer. */
    public PassState forward(PassState before, int layer, LayerAction action, long roomBytes) {
        return action == LayerAction.SWAP
                ? before.swapped(roomBytes, forwardNs(layer), savedBytes(layer), copyOutNs(layer))
                : before.kept(roomBytes, forwardNs(layer));
    }

    /** The backward pass, from its end, before one more layer. */
    public PassState reversed(PassState after, int layer, LayerAction action, long roomBytes) {
        return action == LayerAction.SWAP
                ? after.swapped(roomBytes, backwardNs(layer, action), savedBytes(layer), copyInNs(layer))
                : after.kept(roomBytes, backwardNs(layer, action));
    }

    /** Time of all passes, nothing recomputed. */
    public long computeNs() {
        return layers.stream()
                .mapToLong(each -> each.forwardNs() + each.backwardNs())
                .sum();
    }

    /** What a step does beside the layers' passes: loss, optimizer, data. */
    public long besideNs() {
        return Math.max(0, profile.stepNs() - computeNs());
    }
}
