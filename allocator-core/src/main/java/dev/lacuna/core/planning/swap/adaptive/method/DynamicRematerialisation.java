package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.online.OnlineRecomputation;
import dev.lacuna.core.planning.online.OnlineRun;
import dev.lacuna.core.planning.online.ScheduleWatcher;
import dev.lacuna.core.planning.online.program.LayeredProgram;
import dev.lacuna.core.planning.online.program.LayeredProgram.Layer;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.online.victim.SearchShortcuts;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Recomputes what DTR evicts by h_DTR^eq when it runs the layers in the limit (Kirisame et al., ICLR 2021). */
public final class DynamicRematerialisation implements AdaptiveMethod {
    /** A policy recomputes each layer once at most; DTR may take its time and is judged by the simulator. */
    private static final double TIME_LIMIT = 100;

    @Override
    public String id() {
        return "dtr";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerCosts costs = new LayerCosts(profile);
        LayerPolicy policy = policy(profile, costs, limitBytes, patience);
        return AdaptivePlan.of(id(), costs, new StepSimulator(costs).run(policy, limitBytes), policy);
    }

    private static LayerPolicy policy(LayerProfile profile, LayerCosts costs, long limitBytes, Patience patience) {
        if (costs.count() == 0 || profile.savedBytes() <= limitBytes - costs.otherBytes()) {
            return LayerPolicy.all(LayerAction.KEEP, costs.count());
        }
        OperatorProgram program = LayeredProgram.of(IntStream.range(0, costs.count())
                .mapToObj(i -> layer(profile, i))
                .toList());
        // A recomputed layer has its input twice while it goes backward; the program has it once.
        long twice = IntStream.range(0, costs.count())
                .filter(costs::canRecompute)
                .mapToLong(i -> profile.layers().get(i).inputBytes())
                .max()
                .orElse(0);
        OnlineRun run = OnlineRecomputation.run(
                program,
                Math.max(0, limitBytes - costs.otherBytes() - twice),
                EvictionHeuristic.DTR_EQ,
                SearchShortcuts.NONE,
                false,
                TIME_LIMIT,
                ScheduleWatcher.NONE,
                patience);
        List<LayerAction> actions = new ArrayList<>();
        for (int i = 0; i < costs.count(); i++) {
            boolean again = run.outcome() == OnlineRun.Outcome.OUT_OF_MEMORY
                    || run.recomputed().contains(nameOf(i));
            actions.add(again && costs.canRecompute(i) ? LayerAction.RECOMPUTE : LayerAction.KEEP);
        }
        return new LayerPolicy(actions);
    }

    private static Layer layer(LayerProfile profile, int index) {
        LayerMeasurement each = profile.layers().get(index);
        long kept = Math.max(0, each.savedBytes() - each.inputBytes());
        return new Layer(nameOf(index), each.forwardNs(), each.backwardNs(), each.inputBytes(), kept);
    }

    private static String nameOf(int layer) {
        return "layer " + layer;
    }
}
