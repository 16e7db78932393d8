package dev.lacuna.core.config.mindformers.layer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One layer's operators while settings are applied to them, later ones over earlier ones. */
public final class LayerDraft {
    private static final class Draft {
        private OperatorState.Recompute recompute = OperatorState.Recompute.NONE;
        private boolean communication;
        private Optional<String> prefetch = Optional.empty();
    }

    private final Map<String, Draft> drafts = new LinkedHashMap<>();

    public LayerDraft() {
        LayerTree.REFERENCE.leaves().forEach(leaf -> drafts.put(leaf, new Draft()));
    }

    public void recomputeAll() {
        drafts.values().forEach(draft -> draft.recompute = OperatorState.Recompute.FULL);
    }

    public void recompute(String leaf) {
        drafts.get(leaf).recompute = OperatorState.Recompute.SELECT;
    }

    public void keep(String leaf) {
        Draft draft = drafts.get(leaf);
        if (draft.recompute != OperatorState.Recompute.NONE) {
            draft.recompute = OperatorState.Recompute.EXCLUDED;
        }
    }

    public void recomputeCommunication(String leaf) {
        drafts.get(leaf).communication = true;
    }

    public void keepCommunication(String leaf) {
        drafts.get(leaf).communication = false;
    }

    public void swapAll(String prefetch) {
        drafts.values().forEach(draft -> draft.prefetch = Optional.of(prefetch));
    }

    public void swap(String leaf, String prefetch) {
        drafts.get(leaf).prefetch = Optional.of(prefetch);
    }

    public List<OperatorState> operators() {
        return settled(drafts.entrySet().stream()
                .map(entry -> new OperatorState(
                        entry.getKey(),
                        entry.getValue().recompute,
                        entry.getValue().communication,
                        entry.getValue().prefetch,
                        OperatorState.SwapFate.NONE))
                .toList());
    }

    /** One layer's operators with what becomes of each swap worked out anew. */
    public static List<OperatorState> settled(List<OperatorState> operators) {
        Set<String> recomputed = operators.stream()
                .filter(state -> state.recompute() == OperatorState.Recompute.SELECT
                        || state.recompute() == OperatorState.Recompute.FULL)
                .map(OperatorState::operator)
                .collect(Collectors.toSet());
        return operators.stream()
                .map(state -> new OperatorState(
                        state.operator(),
                        state.recompute(),
                        state.commRecompute(),
                        state.prefetch(),
                        fate(state, recomputed)))
                .toList();
    }

    private static OperatorState.SwapFate fate(OperatorState state, Set<String> recomputed) {
        if (state.prefetch().isEmpty()) {
            return OperatorState.SwapFate.NONE;
        }
        if (recomputed.contains(state.operator())) {
            return OperatorState.SwapFate.RECOMPUTED;
        }
        boolean needed = LayerTree.CONSUMERS.getOrDefault(state.operator(), List.of()).stream()
                .anyMatch(recomputed::contains);
        return needed ? OperatorState.SwapFate.CONSUMER_RECOMPUTED : OperatorState.SwapFate.SWAPPED;
    }
}
