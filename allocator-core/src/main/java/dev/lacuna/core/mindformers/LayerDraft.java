package dev.lacuna.core.mindformers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One layer's operators while settings are applied to them, later ones over earlier ones. */
final class LayerDraft {
    private static final class Draft {
        private OperatorState.Recompute recompute = OperatorState.Recompute.NONE;
        private boolean communication;
        private Optional<String> prefetch = Optional.empty();
    }

    private final Map<String, Draft> drafts = new LinkedHashMap<>();

    LayerDraft() {
        LayerTree.REFERENCE.leaves().forEach(leaf -> drafts.put(leaf, new Draft()));
    }

    void recomputeAll() {
        drafts.values().forEach(draft -> draft.recompute = OperatorState.Recompute.FULL);
    }

    void recompute(String leaf) {
        drafts.get(leaf).recompute = OperatorState.Recompute.SELECT;
    }

    void keep(String leaf) {
        Draft draft = drafts.get(leaf);
        if (draft.recompute != OperatorState.Recompute.NONE) {
            draft.recompute = OperatorState.Recompute.EXCLUDED;
        }
    }

    void recomputeCommunication(String leaf) {
        drafts.get(leaf).communication = true;
    }

    void keepCommunication(String leaf) {
        drafts.get(leaf).communication = false;
    }

    void swapAll(String prefetch) {
        drafts.values().forEach(draft -> draft.prefetch = Optional.of(prefetch));
    }

    void swap(String leaf, String prefetch) {
        drafts.get(leaf).prefetch = Optional.of(prefetch);
    }

    List<OperatorState> operators() {
        return drafts.entrySet().stream()
                .map(entry -> new OperatorState(
                        entry.getKey(),
                        entry.getValue().recompute,
                        entry.getValue().communication,
                        entry.getValue().prefetch,
                        fate(entry.getKey())))
                .toList();
    }

    private OperatorState.SwapFate fate(String leaf) {
        if (drafts.get(leaf).prefetch.isEmpty()) {
            return OperatorState.SwapFate.NONE;
        }
        if (recomputed(leaf)) {
            return OperatorState.SwapFate.RECOMPUTED;
        }
        boolean needed =
                LayerTree.CONSUMERS.getOrDefault(leaf, List.of()).stream().anyMatch(this::recomputed);
        return needed ? OperatorState.SwapFate.CONSUMER_RECOMPUTED : OperatorState.SwapFate.SWAPPED;
    }

    private boolean recomputed(String leaf) {
        OperatorState.Recompute recompute = drafts.get(leaf).recompute;
        return recompute == OperatorState.Recompute.SELECT || recompute == OperatorState.Recompute.FULL;
    }
}
