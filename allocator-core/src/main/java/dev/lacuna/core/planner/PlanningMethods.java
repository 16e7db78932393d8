package dev.lacuna.core.planner;

import dev.lacuna.core.recompute.ChenGreedy;
import dev.lacuna.core.recompute.ChenSquareRoot;
import dev.lacuna.core.recompute.FullRecompute;
import dev.lacuna.core.recompute.LayerwiseRecompute;
import dev.lacuna.core.recompute.OptimalChain;
import dev.lacuna.core.recompute.Revolve;
import dev.lacuna.core.recompute.StoreAll;
import dev.lacuna.core.recompute.online.EvictionHeuristic;
import dev.lacuna.core.swap.adaptive.AdaptiveMethod;
import dev.lacuna.core.swap.adaptive.AdaptiveMethods;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Every method there is; a new one is a line here. */
public final class PlanningMethods {
    /** Measured layers' words for what chains know under another id. */
    private static final Set<String> RENAMED = Set.of("keep-all", "full-recompute");

    private static final List<PlanningMethod> ALL = Stream.concat(
                    Stream.of(
                            new FirstSuited(
                                    new LayersMethod("store-all", layers("keep-all")),
                                    new ChainMethod(new StoreAll(), true)),
                            new FirstSuited(
                                    new LayersMethod("full", layers("full-recompute")),
                                    new ChainMethod(new FullRecompute(), false)),
                            new ChainMethod(new ChenSquareRoot(), false),
                            new ChainMethod(new ChenGreedy(), false),
                            new ChainMethod(new Revolve(), false),
                            new ChainMethod(new LayerwiseRecompute(), true),
                            new ChainMethod(new OptimalChain(), false),
                            new OnlineMethod(EvictionHeuristic.DTR_EQ),
                            new OnlineMethod(EvictionHeuristic.WINDOW)),
                    AdaptiveMethods.all().stream()
                            .filter(method -> !RENAMED.contains(method.name()))
                            .map(LayersMethod::new))
            .toList();

    private PlanningMethods() {}

    /** All of them, in the order in which they are shown. */
    public static List<PlanningMethod> all() {
        return ALL;
    }

    /** The method of this id. */
    public static Optional<PlanningMethod> of(String id) {
        return ALL.stream().filter(method -> method.id().equals(id)).findFirst();
    }

    private static AdaptiveMethod layers(String name) {
        return AdaptiveMethods.named(name).orElseThrow();
    }

    /** Those that can say something about this profile. */
    public static List<PlanningMethod> suited(PlanningProfile profile) {
        return ALL.stream().filter(method -> method.unsuited(profile).isEmpty()).toList();
    }
}
