package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.mindformers.layer.LayerDraft;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.LayerTree;
import dev.lacuna.core.config.mindformers.layer.OperatorPattern;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What every layer and each of its operators is to get, as a person changes it. Immutable: every change makes another grid, in which
 * what becomes of each swap is worked out anew. Changes that mean nothing where they are asked for leave the grid as it is.
 *
 * @param swapOn whether the swap feature is on; settings then name layers one by one instead of counting them from the first
 * @param rows one per layer, in order
 */
public record LayerGrid(boolean swapOn, List<LayerState> rows) {
    public LayerGrid {
        rows = List.copyOf(rows);
    }

    /** What this configuration does. */
    public static LayerGrid of(MindformersResult.Valid result) {
        return new LayerGrid(result.swapOn(), result.grid());
    }

    /** Full names of the operators, in the order of the columns. */
    public static List<String> operators() {
        return LayerTree.REFERENCE.leaves();
    }

    /** Whether communication recomputation and excludes can name this operator: MindFormers ignores them for cells. */
    public static boolean communicates(String operator) {
        return !new OperatorPattern(pattern(operator))
                .reach(LayerTree.REFERENCE, OperatorPattern.Purpose.OPERATORS_ONLY)
                .leaves()
                .isEmpty();
    }

    /** The pattern that names this operator and no other. */
    static String pattern(String operator) {
        return operator.replace(".", "\\.");
    }

    /** With the whole layer recomputed, or not; what was set of its operators' recomputation is gone either way. */
    public LayerGrid full(int layer, boolean on) {
        LayerState row = rows.get(layer);
        if (row.fullRecompute() == on) {
            return this;
        }
        OperatorState.Recompute recompute = on ? OperatorState.Recompute.FULL : OperatorState.Recompute.NONE;
        List<OperatorState> operators = row.operators().stream()
                .map(state -> new OperatorState(state.operator(), recompute, false, state.prefetch(), state.fate()))
                .toList();
        return with(new LayerState(row.layer(), row.stage(), row.interleave(), on, row.layerSwap(), operators));
    }

    /** With this operator recomputed, or not. Means nothing in a layer that is recomputed in full. */
    public LayerGrid select(int layer, String operator, boolean on) {
        return rows.get(layer).fullRecompute()
                ? this
                : change(
                        layer,
                        operator,
                        state -> new OperatorState(
                                state.operator(),
                                on ? OperatorState.Recompute.SELECT : OperatorState.Recompute.NONE,
                                state.commRecompute(),
                                state.prefetch(),
                                state.fate()));
    }

    /**
     * With this operator taken out of what its layer recomputes, or back in. Means nothing for what is not recomputed, for a cell, and with
     * swap on, where MindFormers applies no excludes.
     */
    public LayerGrid exclude(int layer, String operator, boolean on) {
        if (swapOn || !communicates(operator)) {
            return this;
        }
        OperatorState.Recompute again =
                rows.get(layer).fullRecompute() ? OperatorState.Recompute.FULL : OperatorState.Recompute.SELECT;
        OperatorState.Recompute from = on ? again : OperatorState.Recompute.EXCLUDED;
        OperatorState.Recompute to = on ? OperatorState.Recompute.EXCLUDED : again;
        return change(
                layer,
                operator,
                state -> state.recompute() == from
                        ? new OperatorState(state.operator(), to, state.commRecompute(), state.prefetch(), state.fate())
                        : state);
    }

    /** With this operator's communication repeated, or not. Means nothing in a layer that is recomputed in full, or for a cell. */
    public LayerGrid communication(int layer, String operator, boolean on) {
        return rows.get(layer).fullRecompute() || !communicates(operator)
                ? this
                : change(
                        layer,
                        operator,
                        state -> new OperatorState(
                                state.operator(), state.recompute(), on, state.prefetch(), state.fate()));
    }

    /**
     * With this operator's activations swapped, coming back so many operators ahead, or kept; swapping anything turns swap on. Where the
     * whole layer is swapped nothing can be kept.
     */
    public LayerGrid swap(int layer, String operator, Optional<String> prefetch) {
        if (prefetch.isEmpty() && rows.get(layer).layerSwap().isPresent()) {
            return this;
        }
        LayerGrid changed = change(
                layer,
                operator,
                state -> new OperatorState(
                        state.operator(), state.recompute(), state.commRecompute(), prefetch, state.fate()));
        return prefetch.isPresent() ? changed.swapOn(true) : changed;
    }

    /** With all activations of this layer swapped, or none. */
    public LayerGrid layerSwap(int layer, Optional<String> prefetch) {
        LayerState row = rows.get(layer);
        List<OperatorState> operators = row.operators().stream()
                .map(state -> new OperatorState(
                        state.operator(), state.recompute(), state.commRecompute(), prefetch, state.fate()))
                .toList();
        LayerGrid changed = with(
                new LayerState(row.layer(), row.stage(), row.interleave(), row.fullRecompute(), prefetch, operators));
        return prefetch.isPresent() ? changed.swapOn(true) : changed;
    }

    /** With swap on or off. Off, nothing is swapped; on, excludes are no longer applied. */
    public LayerGrid swapOn(boolean on) {
        if (on == swapOn) {
            return this;
        }
        LayerGrid changed = this;
        for (int layer = 0; layer < rows.size(); layer++) {
            changed = on ? changed.withoutExcludes(layer) : changed.layerSwap(layer, Optional.empty());
        }
        return new LayerGrid(on, changed.rows);
    }

    private LayerGrid withoutExcludes(int layer) {
        LayerState row = rows.get(layer);
        OperatorState.Recompute kept =
                row.fullRecompute() ? OperatorState.Recompute.FULL : OperatorState.Recompute.NONE;
        LayerGrid changed = this;
        for (OperatorState state : row.operators()) {
            if (state.recompute() == OperatorState.Recompute.EXCLUDED) {
                changed = changed.change(
                        layer,
                        state.operator(),
                        s -> new OperatorState(s.operator(), kept, s.commRecompute(), s.prefetch(), s.fate()));
            }
        }
        return changed;
    }

    /** Where this grid and another one of as many layers differ: operators by layer, the empty name for the layer itself. */
    public Map<Integer, Set<String>> differences(LayerGrid other) {
        Map<Integer, Set<String>> found = new LinkedHashMap<>();
        for (int layer = 0; layer < rows.size(); layer++) {
            LayerState a = rows.get(layer);
            LayerState b = other.rows.get(layer);
            Set<String> cells = new TreeSet<>();
            if (a.fullRecompute() != b.fullRecompute() || !a.layerSwap().equals(b.layerSwap())) {
                cells.add("");
            }
            for (int i = 0; i < a.operators().size(); i++) {
                if (!a.operators().get(i).equals(b.operators().get(i))) {
                    cells.add(a.operators().get(i).operator());
                }
            }
            if (!cells.isEmpty()) {
                found.put(layer, cells);
            }
        }
        return found;
    }

    private LayerGrid change(int layer, String operator, UnaryOperator<OperatorState> change) {
        LayerState row = rows.get(layer);
        List<OperatorState> operators = row.operators().stream()
                .map(state -> state.operator().equals(operator) ? change.apply(state) : state)
                .toList();
        return with(new LayerState(
                row.layer(), row.stage(), row.interleave(), row.fullRecompute(), row.layerSwap(), operators));
    }

    private LayerGrid with(LayerState row) {
        List<LayerState> changed = new ArrayList<>(rows);
        changed.set(
                row.layer(),
                new LayerState(
                        row.layer(),
                        row.stage(),
                        row.interleave(),
                        row.fullRecompute(),
                        row.layerSwap(),
                        LayerDraft.settled(row.operators())));
        return new LayerGrid(swapOn, changed);
    }
}
