package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.chain.ChainStep;
import dev.lacuna.core.planning.graph.model.GraphStep;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a plan does with each layer, or how often it computes each of its parts forward. */
record Schedule(List<Part> parts) {
    /**
     * One layer, stage or operator.
     *
     * @param action what happens to it; empty where only the count says something
     * @param computed how often it is computed forward in a step
     */
    record Part(String name, Optional<LayerAction> action, int computed) {
        /** What stands in its cell. */
        String sign() {
            return action.map(a -> String.valueOf(a.letter()))
                    .orElseGet(() -> computed > 1 ? Integer.toString(computed) : "");
        }
    }

    Schedule {
        parts = List.copyOf(parts);
    }

    static Schedule of(PlanningProfile profile, PlannedChoice choice) {
        List<Part> parts = new ArrayList<>();
        Optional<LayerPolicy> policy = LayerChoice.of(profile, choice);
        if (policy.isPresent()) {
            List<LayerAction> actions = policy.get().actions();
            for (int i = 0; i < actions.size(); i++) {
                parts.add(new Part(
                        layerName(profile, i),
                        Optional.of(actions.get(i)),
                        actions.get(i) == LayerAction.RECOMPUTE ? 2 : 1));
            }
        } else if (choice instanceof PlannedChoice.Chain chain
                && profile.asChain().isPresent()) {
            int length = profile.asChain().get().chain().length();
            int[] counts = new int[length];
            chain.plan().steps().stream()
                    .filter(step -> step.kind() != ChainStep.Kind.BACKWARD)
                    .forEach(step -> counts[step.stage()]++);
            for (int i = 0; i < length; i++) {
                parts.add(new Part(layerName(profile, i), Optional.empty(), counts[i]));
            }
        } else if (choice instanceof PlannedChoice.Graph graph && profile instanceof PlanningProfile.Graph of) {
            int[] counts = new int[of.graph().size()];
            graph.plan().steps().stream()
                    .filter(step -> step.kind() == GraphStep.Kind.COMPUTE)
                    .forEach(step -> counts[step.node()]++);
            for (int i = 0; i < counts.length; i++) {
                parts.add(new Part(of.graph().nodes().get(i).name(), Optional.empty(), counts[i]));
            }
        }
        return new Schedule(parts);
    }

    private static String layerName(PlanningProfile profile, int index) {
        return profile.asChain()
                .map(chain -> chain.chain().stages().get(index).name())
                .orElse(Integer.toString(index));
    }
}
