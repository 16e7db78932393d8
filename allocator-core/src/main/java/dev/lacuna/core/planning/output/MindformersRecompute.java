package dev.lacuna.core.planning.output;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.mindformers.InexpressibleGridException;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.LayerGridWriter;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Puts a choice of layers into a MindFormers file, whose comments, order and other settings stay. What was written is
 * read again as the framework reads it.
 */
public final class MindformersRecompute {
    private MindformersRecompute() {}

    /**
     * A file with the choice in it.
     *
     * @param file with the settings
     * @param policy what the file now says: the one asked for, unless {@code moved}
     * @param moved whether as many layers of each mini-stage were taken from its beginning, because without swap the
     *     framework can only count from there
     */
    public record Written(ConfigDocument file, LayerPolicy policy, boolean moved) {}

    /**
     * Writes a choice.
     *
     * @throws RefusedException when the file does not run, is for another number of layers, or cannot say it
     */
    public static Written write(ConfigDocument file, LayerPolicy policy) throws RefusedException {
        return write(file, policy, choice -> true);
    }

    /**
     * The same where what is written must fit: more layers are recomputed in each mini-stage until it does, its first ones.
     *
     * @param fits whether a choice of all layers is small enough
     * @throws RefusedException also when not even all layers recomputed fit
     */
    public static Written write(ConfigDocument file, LayerPolicy policy, Predicate<LayerPolicy> fits)
            throws RefusedException {
        return write(file, policy, fits, Collections.nCopies(policy.actions().size(), 1));
    }

    /**
     * The same where it is known how early what is swapped has to come back.
     *
     * @param prefetch operators ahead of need, for each layer of the policy, from 1: what the framework does where nothing is
     *     said
     */
    public static Written write(
            ConfigDocument file, LayerPolicy policy, Predicate<LayerPolicy> fits, List<Integer> prefetch)
            throws RefusedException {
        if (!(new Mindformers(Map.of()).analyse(file) instanceof MindformersResult.Valid valid)) {
            throw new RefusedException(PlanFailure.WORDS.of("output.mindformers.invalid"));
        }
        LayerDistribution layers = valid.layers();
        if (layers.layers() != policy.actions().size()) {
            throw new RefusedException(PlanFailure.WORDS.of(
                    "output.layers", Integer.toString(policy.actions().size()), Integer.toString(layers.layers())));
        }
        LayerGridWriter writer = new LayerGridWriter(file, Map.of());
        LayerGrid before = LayerGrid.of(valid);
        boolean swaps = policy.count(LayerAction.SWAP) > 0;
        try {
            if (swaps && fits.test(policy)) {
                return new Written(writer.write(grid(before, policy, prefetch)), policy, false);
            }
            LayerPolicy counted = fitting(policy, layers, fits);
            if (!swaps && (!valid.swapOn() || counted.equals(policy))) {
                Optional<ConfigDocument> off = written(writer, grid(before.swapOn(false), counted, prefetch));
                if (off.isPresent()) {
                    return new Written(off.get(), counted, !counted.equals(policy));
                }
            }
            // With swap on, though nothing may be swapped, any layer can be named.
            LayerPolicy named = fits.test(policy) ? policy : counted;
            return new Written(writer.write(grid(before, named, prefetch)), named, !named.equals(policy));
        } catch (InexpressibleGridException e) {
            throw new RefusedException(PlanFailure.WORDS.of(
                    "output.mindformers.inexpressible", e.obstacles().get(0).why()));
        }
    }

    private static Optional<ConfigDocument> written(LayerGridWriter writer, LayerGrid grid) {
        try {
            return Optional.of(writer.write(grid));
        } catch (InexpressibleGridException e) {
            return Optional.empty();
        }
    }

    /** Each layer does what the plan says and nothing else: operators of a layer that is kept are neither recomputed nor swapped. */
    private static LayerGrid grid(LayerGrid before, LayerPolicy policy, List<Integer> prefetch) {
        LayerGrid grid = before;
        for (int layer = 0; layer < policy.actions().size(); layer++) {
            LayerAction action = policy.actions().get(layer);
            grid = grid.full(layer, action == LayerAction.RECOMPUTE);
            for (String operator : LayerGrid.operators()) {
                grid = grid.select(layer, operator, false).communication(layer, operator, false);
            }
            grid = grid.layerSwap(
                    layer,
                    action == LayerAction.SWAP ? Optional.of(Integer.toString(prefetch.get(layer))) : Optional.empty());
        }
        return grid;
    }

    /** The least more, in every mini-stage alike, with which the first layers of each are small enough. */
    private static LayerPolicy fitting(LayerPolicy policy, LayerDistribution layers, Predicate<LayerPolicy> fits)
            throws RefusedException {
        for (int more = 0; more <= layers.layers(); more++) {
            LayerPolicy counted = fromTheBeginning(policy, layers, more);
            if (fits.test(counted)) {
                return counted;
            }
        }
        throw new RefusedException(PlanFailure.WORDS.of("output.unfit"));
    }

    /** As many layers of each mini-stage and so many more, its first ones. */
    private static LayerPolicy fromTheBeginning(LayerPolicy policy, LayerDistribution layers, int more) {
        List<LayerDistribution.Place> places = layers.places();
        int[][] counts = new int[layers.interleaves()][layers.stages()];
        for (int layer = 0; layer < places.size(); layer++) {
            if (policy.actions().get(layer) == LayerAction.RECOMPUTE) {
                counts[places.get(layer).interleave()][places.get(layer).stage()]++;
            }
        }
        List<LayerAction> actions = new ArrayList<>();
        for (LayerDistribution.Place place : places) {
            boolean again = place.position() < counts[place.interleave()][place.stage()] + more;
            actions.add(again ? LayerAction.RECOMPUTE : LayerAction.KEEP);
        }
        return new LayerPolicy(actions);
    }
}
