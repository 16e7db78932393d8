package dev.lacuna.core.planning.swap.mindspeed;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Every combination of swapped and recomputed modules that the framework considers for a layer, in its order.
 *
 * <p>A module combines with what its earlier siblings offered, never with its own descendants. Where all children of a
 * module hold equal memory only prefixes are offered (first; first and second; …), each on top of what came before and
 * none alone; directly below the layer what came before are full recomputation and no adaptation, which yields the
 * framework's odd entries that recompute the whole layer and swap a part of it.
 */
public final class CombinationGenerator {
    /** Which adaptive combinations survive the lossless-swap selection. */
    public enum Filter {
        /** Those that swap exactly the selected modules: release 2.0. */
        EXACT,
        /** Those that swap selected modules only: the later main line. */
        SUBSET
    }

    /** A recomputed module must save more than this beyond its input and output, MiB. */
    private static final double WORTH_RECOMPUTING_MB = 1;

    /** Combinations before any filter; memory is relative to the unadapted layer. */
    public List<LayerCombination> generate(ModuleProfile layer) {
        ModuleProfile.Cost whole = layer.cost()
                .orElseThrow(() -> new IllegalArgumentException("layer " + layer.name() + " was not profiled"));
        LayerCombination full = new LayerCombination(
                Kind.FULL_RECOMPUTE,
                List.of(layer.name()),
                List.of(),
                whole.inputMb() + whole.outputMb() - whole.memoryMb(),
                whole.timeMs());
        LayerCombination none = new LayerCombination(Kind.NONE, List.of(), List.of(), 0, 0);
        List<LayerCombination> all = new ArrayList<>(List.of(full, none));
        all.addAll(within(layer, allEqual(layer) ? List.of(full, none) : List.of()));
        return List.copyOf(all);
    }

    /** Those of {@link #generate} that respect the lossless-swap set; memory made whole by the layer's own. */
    public List<LayerCombination> candidates(ModuleProfile layer, Filter filter) {
        Set<String> lossless = Set.copyOf(layer.adaptable()
                .filter(ModuleProfile::lossless)
                .map(ModuleProfile::name)
                .toList());
        double unadapted = layer.cost().orElseThrow().memoryMb();
        return generate(layer).stream()
                .filter(each -> each.kind() != Kind.ADAPTIVE || admits(filter, lossless, each))
                .map(each -> each.plusMemory(unadapted))
                .toList();
    }

    private static boolean admits(Filter filter, Set<String> lossless, LayerCombination combination) {
        Set<String> swapped = Set.copyOf(combination.swap());
        return switch (filter) {
            case EXACT -> swapped.equals(lossless);
            case SUBSET -> lossless.containsAll(swapped);
        };
    }

    private List<LayerCombination> within(ModuleProfile parent, List<LayerCombination> before) {
        return allEqual(parent) ? prefixes(parent, before) : free(parent, before);
    }

    private List<LayerCombination> prefixes(ModuleProfile parent, List<LayerCombination> before) {
        List<LayerCombination> found = new ArrayList<>();
        List<LayerCombination> stage = before;
        for (ModuleProfile child : parent.children()) {
            List<LayerCombination> next = new ArrayList<>();
            for (Choice choice : choices(child)) {
                stage.forEach(base -> next.add(choice.on(base)));
            }
            next.addAll(within(child, stage));
            found.addAll(next);
            if (child.cost().isPresent()) {
                stage = next;
            }
        }
        return found;
    }

    private List<LayerCombination> free(ModuleProfile parent, List<LayerCombination> before) {
        List<LayerCombination> found = new ArrayList<>();
        List<LayerCombination> earlier = new ArrayList<>(before);
        for (ModuleProfile child : parent.children()) {
            List<LayerCombination> group = new ArrayList<>();
            for (Choice choice : choices(child)) {
                earlier.forEach(base -> group.add(choice.on(base)));
                group.add(choice.alone());
            }
            group.addAll(within(child, List.copyOf(earlier)));
            found.addAll(group);
            earlier.addAll(group);
        }
        return found;
    }

    private static boolean allEqual(ModuleProfile parent) {
        return parent.children().stream()
                        .flatMap(child -> child.cost().stream())
                        .mapToDouble(ModuleProfile.Cost::memoryMb)
                        .distinct()
                        .count()
                <= 1;
    }

    private static List<Choice> choices(ModuleProfile module) {
        return module.cost()
                .map(cost -> {
                    Choice swap = Choice.swap(module, cost);
                    boolean worth = cost.memoryMb() > cost.inputMb() + cost.outputMb() + WORTH_RECOMPUTING_MB;
                    return worth && !module.lossless() ? List.of(swap, Choice.recompute(module, cost)) : List.of(swap);
                })
                .orElse(List.of());
    }

    /** One module, swapped or recomputed. */
    private record Choice(String name, boolean swaps, double memoryMb, double timeMs) {
        static Choice swap(ModuleProfile module, ModuleProfile.Cost cost) {
            double moved = cost.swap().map(ModuleProfile.Swap::memoryMb).orElse(0.0);
            double shown = cost.swap().map(ModuleProfile.Swap::timeMs).orElse(0.0);
            return new Choice(module.name(), true, -moved, module.lossless() ? 0 : shown);
        }

        static Choice recompute(ModuleProfile module, ModuleProfile.Cost cost) {
            return new Choice(module.name(), false, cost.inputMb() + cost.outputMb() - cost.memoryMb(), cost.timeMs());
        }

        LayerCombination alone() {
            return on(new LayerCombination(Kind.NONE, List.of(), List.of(), 0, 0));
        }

        LayerCombination on(LayerCombination base) {
            return new LayerCombination(
                    Kind.ADAPTIVE,
                    swaps ? base.recompute() : with(base.recompute()),
                    swaps ? with(base.swap()) : base.swap(),
                    base.memoryMb() + memoryMb,
                    base.timeMs() + timeMs);
        }

        private List<String> with(List<String> names) {
            List<String> more = new ArrayList<>(names);
            more.add(name);
            return more;
        }
    }
}
