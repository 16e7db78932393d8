package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.planning.chain.ChainPlanner;
import dev.lacuna.core.planning.chain.ChenGreedy;
import dev.lacuna.core.planning.chain.ChenSquareRoot;
import dev.lacuna.core.planning.chain.EveryStage;
import dev.lacuna.core.planning.chain.LayerwiseRecompute;
import dev.lacuna.core.planning.chain.OptimalChain;
import dev.lacuna.core.planning.chain.Revolve;
import dev.lacuna.core.planning.chain.StoreAll;
import dev.lacuna.core.planning.graph.GraphPlanners;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.core.planning.swap.kernel.SwapMethod;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every method there is. Planners of one id, for chains, graphs and measured layers, are one method. */
public final class PlanningMethods {
    private static final List<PlanningMethod> ALL = joined(Stream.of(
                    chains(),
                    OnlineMethod.HEURISTICS.stream().map(OnlineMethod::new),
                    GraphPlanners.all().stream().map(PlanningMethods::graph),
                    AdaptiveMethods.all().stream().map(LayersMethod::new),
                    Arrays.stream(SwapMethod.values()).map(KernelMethod::new),
                    Registered.of(PlanningMethod.class, new SelectiveMethod()).stream())
            .flatMap(methods -> methods));

    private PlanningMethods() {}

    /** All of them, in the order in which they are shown. */
    public static List<PlanningMethod> all() {
        return ALL;
    }

    /** The method of this id. */
    public static Optional<PlanningMethod> of(String id) {
        return ALL.stream()
                .filter(method -> method.id().equals(id))
                .findFirst()
                .or(() -> OnlineMethod.withShortcut(id));
    }

    /** Ids of all methods, and of those that are only asked by name: runtimes that look at part of what they could evict. */
    public static List<String> ids() {
        return Stream.concat(ALL.stream().map(PlanningMethod::id), OnlineMethod.shortcutIds().stream())
                .toList();
    }

    /** Those that can say something about this profile. */
    public static List<PlanningMethod> suited(PlanningProfile profile) {
        return ALL.stream().filter(method -> method.unsuited(profile).isEmpty()).toList();
    }

    /** Those that are only asked by name and can say something about this profile. */
    public static List<PlanningMethod> suitedByName(PlanningProfile profile) {
        return OnlineMethod.shortcutIds().stream()
                .flatMap(id -> OnlineMethod.withShortcut(id).stream())
                .filter(method -> method.unsuited(profile).isEmpty())
                .toList();
    }

    private static Stream<PlanningMethod> chains() {
        return Stream.of(
                chain(new StoreAll(), true),
                chain(new EveryStage(), false),
                chain(new ChenSquareRoot(), false),
                chain(new ChenGreedy(), false),
                chain(new Revolve(), false),
                chain(new LayerwiseRecompute(), true),
                chain(new OptimalChain(), false));
    }

    private static PlanningMethod chain(ChainPlanner planner, boolean optimal) {
        return new ChainMethod(planner, optimal);
    }

    /** What is as simple for graphs as for chains tries no alternatives. */
    private static PlanningMethod graph(GraphPlanner planner) {
        return new GraphMethod(planner, chains().noneMatch(chain -> chain.id().equals(planner.id())));
    }

    /** Where one id stands for several kinds of profiles, what knows a profile best comes last: graphs and layers after chains and programs. */
    private static List<PlanningMethod> joined(Stream<PlanningMethod> methods) {
        Map<String, List<PlanningMethod>> byId =
                methods.collect(Collectors.groupingBy(PlanningMethod::id, LinkedHashMap::new, Collectors.toList()));
        return byId.values().stream()
                .map(homes -> homes.size() == 1 ? homes.get(0) : new JoinedMethod(homes))
                .toList();
    }
}
