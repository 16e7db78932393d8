package dev.lacuna.core.planning.selective;

import dev.lacuna.core.planning.selective.SelectiveChoice.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The framework's knapsack. One assignment is kept per number of layers and changed in place, so it is not exact; later
 * choices win ties. Layers that no assignment reaches are recomputed as a whole, and what those keep is not held against
 * the budget: a plan may need more than the device has.
 */
public final class SelectiveRecompute {
    private final SelectiveStage stage;
    private final List<SelectiveChoice> choices;

    /** @throws IllegalArgumentException for a layer of more modules than all sets of can be tried */
    public SelectiveRecompute(SelectiveStage stage) {
        this.stage = stage;
        this.choices = new SelectiveChoices(stage.layer()).all();
    }

    /** @throws IllegalArgumentException for a layer of more modules than all sets of can be tried */
    public static void check(LayerModule layer) {
        SelectiveChoices.check(layer);
    }

    /** How many layers have an assignment: what they do, together. */
    private record Assigned(List<SelectiveChoice> layers, double memoryMb, double timeMs) {
        static final Assigned NONE = new Assigned(List.of(), 0, Double.POSITIVE_INFINITY);

        Assigned and(int count, SelectiveChoice choice) {
            List<SelectiveChoice> more = new ArrayList<>(layers);
            more.addAll(Collections.nCopies(count, choice));
            return new Assigned(more, memoryMb + count * choice.memoryMb(), timeWith(count, choice));
        }

        double timeWith(int count, SelectiveChoice choice) {
            return (this == NONE ? 0 : timeMs) + count * choice.timeMs();
        }
    }

    /** The plan for a device of this size, MiB. */
    public SelectivePlan solve(double deviceMb) {
        double budget = stage.budgetMb(deviceMb);
        Assigned[] best = new Assigned[stage.layers() + 1];
        Arrays.fill(best, Assigned.NONE);
        for (SelectiveChoice choice : choices) {
            for (int layers = 1; layers <= stage.layers(); layers++) {
                for (int count = 1; count <= layers; count++) {
                    Assigned before = best[layers - count];
                    boolean fits = before.memoryMb() + count * choice.memoryMb() <= budget;
                    if (fits && before.timeWith(count, choice) <= best[layers].timeMs()) {
                        best[layers] = before.and(count, choice);
                    }
                }
            }
        }
        return new SelectivePlan(stage, filled(best));
    }

    /** The cheapest assignment once what it leaves open is recomputed as a whole. */
    private List<SelectiveChoice> filled(Assigned[] best) {
        SelectiveChoice full = choices.stream()
                .filter(choice -> choice.kind() == Kind.FULL)
                .findFirst()
                .orElseThrow();
        Assigned cheapest = Assigned.NONE.and(stage.layers(), full);
        for (int layers = stage.layers(); layers > 0; layers--) {
            int open = stage.layers() - best[layers].layers().size();
            if (open < stage.layers()) {
                Assigned whole = open == 0 ? best[layers] : best[layers].and(open, full);
                cheapest = whole.timeMs() < cheapest.timeMs() ? whole : cheapest;
            }
        }
        return cheapest.layers();
    }
}
