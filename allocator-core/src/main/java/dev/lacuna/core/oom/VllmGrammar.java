package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;

/** vLLM's own sentence when warming up fails, which hides PyTorch's figures. */
final class VllmGrammar implements OomGrammar {
    private static final String HEAD = "cudaoutofmemoryoccurredwhenwarmingup";

    @Override
    public List<String> anchors() {
        return List.of(HEAD);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        return Optional.of(new ReportDraft(Framework.VLLM, anchor).upTo(anchor + HEAD.length()));
    }
}
