package dev.lacuna.core.planning.selective;

import dev.lacuna.core.planning.selective.SelectiveChoice.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything a layer may do, in the framework's order: all again, nothing, then each set of modules that keep at least
 * their input. Left out are sets with a parent and one of its children, with all parents, and with all children of a
 * parent.
 */
final class SelectiveChoices {
    /** The framework takes all sets: twice as many with each module. Beyond this it would not come back. */
    static final int MOST_MODULES = 16;

    private final LayerModule layer;
    private final List<LayerModule> modules;
    private final List<SelectiveChoice> choices = new ArrayList<>();

    SelectiveChoices(LayerModule layer) {
        check(layer);
        this.layer = layer;
        this.modules = layer.twoLevels();
    }

    static void check(LayerModule layer) {
        if (layer.twoLevels().stream().filter(SelectiveChoices::eligible).count() > MOST_MODULES) {
            throw new IllegalArgumentException("more than " + MOST_MODULES + " modules to choose from");
        }
    }

    List<SelectiveChoice> all() {
        choices.add(new SelectiveChoice(Kind.FULL, List.of(), layer.inputMb(), layer.timeMs()));
        choices.add(new SelectiveChoice(Kind.NONE, List.of(), layer.memoryMb(), 0));
        extend(0, new ArrayList<>());
        return List.copyOf(choices);
    }

    private static boolean eligible(LayerModule module) {
        return module.memoryMb() >= module.inputMb();
    }

    private void extend(int next, List<LayerModule> chosen) {
        if (next == modules.size()) {
            if (allowed(chosen)) {
                choices.add(choice(chosen));
            }
            return;
        }
        if (eligible(modules.get(next))) {
            chosen.add(modules.get(next));
            extend(next + 1, chosen);
            chosen.remove(chosen.size() - 1);
        }
        extend(next + 1, chosen);
    }

    private boolean allowed(List<LayerModule> chosen) {
        if (chosen.isEmpty() || chosen.containsAll(layer.modules())) {
            return false;
        }
        return layer.modules().stream()
                .filter(parent -> !parent.modules().isEmpty())
                .noneMatch(parent -> chosen.containsAll(parent.modules())
                        || chosen.contains(parent) && parent.modules().stream().anyMatch(chosen::contains));
    }

    /** A parent counts as a whole where none of its children is chosen; else its children count instead. */
    private SelectiveChoice choice(List<LayerModule> chosen) {
        Set<LayerModule> again = new HashSet<>(chosen);
        double memory = 0;
        double time = 0;
        for (LayerModule parent : layer.modules()) {
            boolean inside = parent.modules().stream().anyMatch(again::contains);
            for (LayerModule each : inside ? parent.modules() : List.of(parent)) {
                memory += again.contains(each) ? each.inputMb() : each.memoryMb();
                time += again.contains(each) ? each.timeMs() : 0;
            }
        }
        List<String> names = chosen.stream().map(LayerModule::name).toList();
        return new SelectiveChoice(Kind.SELECTIVE, names, memory, time);
    }
}
