package dev.lacuna.core.oom;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All grammars, and the judgement of a passage by them: which messages it holds, none counted twice. */
final class OomGrammars {
    /** A grammar with figures comes before one whose words are part of its message. */
    private static final List<OomGrammar> ALL = List.of(
            new MpsGrammar(),
            new TorchGrammar(),
            new TorchRejectionGrammar(),
            new TorchFragmentGrammar(),
            new CudaMallocAsyncGrammar(),
            new LlamaCppGrammar(),
            new VllmGrammar(),
            new MindSporeGrammar(),
            new PaddleGrammar(),
            new OnnxRuntimeGrammar(),
            new TensorFlowGrammar(),
            new XlaGrammar(),
            new AscendRuntimeGrammar(),
            new HostAndOtherGrammar(),
            new HostKillGrammar(),
            new CudaFailureGrammar());

    /** Two messages of one framework this close, that do not contradict each other, tell of one failure. */
    private static final int SAME_FAILURE = 700;

    private OomGrammars() {}

    /** The messages of a passage, in order. */
    static List<ReportDraft> read(Passage passage) {
        List<ReportDraft> found = new ArrayList<>();
        BitSet taken = new BitSet(passage.length());
        for (OomGrammar grammar : ALL) {
            for (String anchor : grammar.anchors()) {
                readAt(passage, grammar, anchor, taken, found);
            }
        }
        found.sort(Comparator.comparingInt(ReportDraft::start));
        return folded(found);
    }

    private static void readAt(
            Passage passage, OomGrammar grammar, String anchor, BitSet taken, List<ReportDraft> found) {
        String lower = passage.lower();
        for (int at = lower.indexOf(anchor); at >= 0; at = lower.indexOf(anchor, at + 1)) {
            Optional<ReportDraft> read = grammar.read(passage, at);
            if (read.isEmpty()) {
                continue;
            }
            ReportDraft draft = read.get();
            if (!draft.hasNumbers() && ProgramText.quotes(lower, draft.start())) {
                continue;
            }
            int next = taken.nextSetBit(draft.start());
            if (next < 0 || next >= draft.end()) {
                taken.set(draft.start(), draft.end());
                found.add(draft);
            }
        }
    }

    private static List<ReportDraft> folded(List<ReportDraft> found) {
        List<ReportDraft> result = new ArrayList<>();
        for (ReportDraft draft : found) {
            ReportDraft before = result.isEmpty() ? draft : result.get(result.size() - 1);
            if (before != draft && sameFailure(before, draft)) {
                before.absorb(draft);
            } else {
                result.add(draft);
            }
        }
        return result;
    }

    /**
     * MindSpore, XLA, TensorFlow, CANN and llama.cpp report one failure in several messages; PyTorch never does, so two of
     * its messages are two failures (or a repeat, which is folded elsewhere).
     */
    private static boolean sameFailure(ReportDraft a, ReportDraft b) {
        boolean oneSpeaker = a.framework() == b.framework()
                || a.framework() == Framework.MINDSPORE_ASCEND && b.framework() == Framework.ASCEND_RUNTIME;
        if (!oneSpeaker || b.start() - a.end() > SAME_FAILURE || !a.agreesWith(b)) {
            return false;
        }
        return switch (a.framework()) {
            case MINDSPORE_ASCEND, MINDSPORE_GPU, JAX_XLA, TENSORFLOW, LLAMA_CPP_CUDA, LLAMA_CPP_ROCM ->
                a.hasNumbers() || b.hasNumbers();
            case ASCEND_RUNTIME -> !a.hasNumbers() || !b.hasNumbers();
            default -> false;
        };
    }
}
