package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/** PyTorch's sentences without "Tried to allocate": a paste that begins too late. */
public final class TorchFragmentGrammar implements OomGrammar {
    private static final List<String> DEVICE_WORDS = List.of("gpu", "npu", "xpu");

    @Override
    public List<String> anchors() {
        return List.of("hasatotalcapac");
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        int start = anchor;
        while (start > 0 && anchor - start < 6 && Character.isDigit(lower.charAt(start - 1))) {
            start--;
        }
        start -= 3;
        if (start < 0 || start == anchor - 3) {
            return Optional.empty();
        }
        String word = lower.substring(start, start + 3);
        if (!DEVICE_WORDS.contains(word)) {
            return Optional.empty();
        }
        Framework framework = word.equals("npu") ? Framework.TORCH_NPU : Framework.PYTORCH_CUDA;
        ReportDraft draft = new ReportDraft(framework, start);
        Cursor cursor = new Cursor(passage, start);
        return TorchSentences.read(cursor, draft) && draft.hasNumbers() ? Optional.of(draft) : Optional.empty();
    }
}
