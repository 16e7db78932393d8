package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.Capuchin;
import dev.lacuna.core.planning.swap.adaptive.method.DynamicRematerialisation;
import dev.lacuna.core.planning.swap.adaptive.method.LargestFirst;
import dev.lacuna.core.planning.swap.adaptive.method.LayerOptimum;
import dev.lacuna.core.planning.swap.adaptive.method.LeastRecentlyUsed;
import dev.lacuna.core.planning.swap.adaptive.method.MindSpeedKnapsack;
import dev.lacuna.core.planning.swap.adaptive.method.UniformMethod;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import java.util.List;

/** All methods there are. */
public final class AdaptiveMethods {
    private static final List<AdaptiveMethod> ALL = List.of(
            new LayerOptimum(),
            new MindSpeedKnapsack(),
            new Capuchin(),
            new DynamicRematerialisation(),
            new UniformMethod("store-all", LayerAction.KEEP),
            new UniformMethod("full", LayerAction.RECOMPUTE),
            new UniformMethod("vdnn", LayerAction.SWAP),
            new LargestFirst(),
            new LeastRecentlyUsed());

    private AdaptiveMethods() {}

    /** All of them, Lacuna's own first, in the order of tables. */
    public static List<AdaptiveMethod> all() {
        return ALL;
    }

    /** Whether it is one that searches, and takes as long as that takes. */
    public static boolean searches(AdaptiveMethod method) {
        return method instanceof LayerOptimum;
    }
}
