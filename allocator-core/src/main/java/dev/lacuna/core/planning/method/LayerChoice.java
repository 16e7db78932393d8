package dev.lacuna.core.planning.method;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The action of each layer that a plan means, where it decides layer by layer. */
public final class LayerChoice {
    private LayerChoice() {}

    /** Of a chain's layers, the loss left out; empty for stretches, nested checkpoints, graphs and runtimes. */
    public static Optional<LayerPolicy> of(PlanningProfile profile, PlannedChoice choice) {
        if (choice instanceof PlannedChoice.Layers layers) {
            List<LayerAction> actions = layers.plan().policy().actions();
            boolean estimatedLoss = profile instanceof PlanningProfile.Chain chain && chain.endsWithLoss();
            return Optional.of(new LayerPolicy(actions.subList(0, actions.size() - (estimatedLoss ? 1 : 0))));
        }
        if (!(choice instanceof PlannedChoice.Chain chain) || profile.asChain().isEmpty()) {
            return Optional.empty();
        }
        boolean loss = profile.asChain().get().endsWithLoss();
        return chain.tree()
                .flatMap(CheckpointTree::byStage)
                .map(recomputed -> recomputed.subList(0, recomputed.size() - (loss ? 1 : 0)))
                .map(recomputed -> new LayerPolicy(recomputed.stream()
                        .map(again -> again ? LayerAction.RECOMPUTE : LayerAction.KEEP)
                        .toList()))
                .filter(policy -> possible(profile, policy));
    }

    /** Whether each layer of a running process can do what is asked of it. */
    private static boolean possible(PlanningProfile profile, LayerPolicy policy) {
        return !(profile instanceof PlanningProfile.Layers layers)
                || IntStream.range(0, policy.actions().size())
                        .allMatch(i -> layers.measured()
                                .layers()
                                .get(i)
                                .possible()
                                .contains(policy.actions().get(i)));
    }

    /** One policy for a whole model from those of its pipeline stages. */
    public static LayerPolicy joined(ConfiguredModel model, List<LayerPolicy> byStage) {
        List<LayerAction> actions = new ArrayList<>(Collections.nCopies(model.layers(), LayerAction.KEEP));
        for (int stage = 0; stage < byStage.size(); stage++) {
            List<Integer> layers = model.layersOf(stage);
            for (int i = 0; i < layers.size(); i++) {
                actions.set(layers.get(i), byStage.get(stage).actions().get(i));
            }
        }
        return new LayerPolicy(actions);
    }
}
