package dev.lacuna.core.diagnosis.oom.grammar;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.diagnosis.oom.grammar.ascend.AscendRuntimeGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.collective.CollectiveGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.cuda.CudaFailureGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.cuda.DriverErrorGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.ClusterKillGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.HostAllocationGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.KernelKillGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.KilledGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.LauncherKillGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.LoaderGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.host.RayGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.library.LevelZeroGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.library.LibraryGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.library.OpenCvGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.library.PhraseGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.llamacpp.LlamaCppGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.mindspore.MindSporeGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.onnxruntime.OnnxRuntimeGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.paddle.PaddleGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.AllocatorWarningGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.CudaMallocAsyncGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.MemorySummaryGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.MpsGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.TorchFragmentGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.TorchGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.pytorch.TorchRejectionGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.tensorflow.TensorFlowGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.vllm.VllmGrammar;
import dev.lacuna.core.diagnosis.oom.grammar.xla.XlaGrammar;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.Prose;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All grammars, and the judgement of a passage by them: which messages it holds, none counted twice. */
public final class OomGrammars {
    /** A grammar with figures comes before one whose words are part of its message. */
    private static final List<OomGrammar> ALL = Registered.of(
            OomGrammar.class,
            new MpsGrammar(),
            new TorchGrammar(),
            new TorchRejectionGrammar(),
            new TorchFragmentGrammar(),
            new MemorySummaryGrammar(),
            new AllocatorWarningGrammar(),
            new CudaMallocAsyncGrammar(),
            new LlamaCppGrammar(),
            new VllmGrammar(),
            new MindSporeGrammar(),
            new PaddleGrammar(),
            new OnnxRuntimeGrammar(),
            new TensorFlowGrammar(),
            new XlaGrammar(),
            new AscendRuntimeGrammar(),
            new PhraseGrammar(),
            new CollectiveGrammar(),
            new LibraryGrammar(),
            new LevelZeroGrammar(),
            new OpenCvGrammar(),
            new DriverErrorGrammar(),
            new LoaderGrammar(),
            new HostAllocationGrammar(),
            new KernelKillGrammar(),
            new ClusterKillGrammar(),
            new RayGrammar(),
            new KilledGrammar(),
            new LauncherKillGrammar(),
            new CudaFailureGrammar());

    /** Two messages of one framework this close, that do not contradict each other, tell of one failure. */
    private static final int SAME_FAILURE = 700;

    private OomGrammars() {}

    /** Every anchor once for each grammar that has it, in the order in which they are tried. */
    private static final List<Anchor> ANCHORS = ALL.stream()
            .flatMap(grammar -> grammar.anchors().stream().map(word -> new Anchor(grammar, word)))
            .toList();

    private static final AnchorSearch SEARCH =
            new AnchorSearch(ANCHORS.stream().map(Anchor::word).toList());

    private record Anchor(OomGrammar grammar, String word) {}

    /** A place where an anchor stands. */
    private record Place(int anchor, int start) {}

    /** The messages of a passage, in order. */
    public static List<ReportDraft> read(Passage passage) {
        List<Place> places = new ArrayList<>();
        SEARCH.search(passage.lower(), (anchor, start) -> places.add(new Place(anchor, start)));
        if (places.isEmpty()) {
            return List.of();
        }
        places.sort(Comparator.comparingInt(Place::anchor).thenComparingInt(Place::start));
        List<ReportDraft> found = new ArrayList<>();
        BitSet taken = new BitSet(passage.length());
        for (Place place : places) {
            readAt(passage, ANCHORS.get(place.anchor()).grammar(), place.start(), taken, found);
        }
        found.sort(Comparator.comparingInt(ReportDraft::start));
        return folded(found);
    }

    private static void readAt(Passage passage, OomGrammar grammar, int anchor, BitSet taken, List<ReportDraft> found) {
        Optional<ReportDraft> read = grammar.read(passage, anchor);
        if (read.isEmpty()) {
            return;
        }
        ReportDraft draft = read.get();
        boolean quoted = ProgramText.quotes(passage, draft.start()) || Prose.teaches(passage, draft.start());
        if (!draft.hasNumbers() && quoted) {
            return;
        }
        int next = taken.nextSetBit(draft.start());
        if (next < 0 || next >= draft.end()) {
            taken.set(draft.start(), draft.end());
            found.add(draft);
        }
    }

    private static List<ReportDraft> folded(List<ReportDraft> found) {
        List<ReportDraft> result = new ArrayList<>();
        for (ReportDraft draft : found) {
            ReportDraft before = result.isEmpty() ? draft : result.get(result.size() - 1);
            if (before == draft || !sameFailure(before, draft)) {
                result.add(draft);
            } else if (onlyWarned(before, draft)) {
                result.set(result.size() - 1, draft);
            } else if (!onlyWarned(draft, before)) {
                before.absorb(draft);
            }
        }
        return result;
    }

    /** Whether one went on without what it asked for: its figure is not the other's, which failed. */
    private static boolean onlyWarned(ReportDraft first, ReportDraft second) {
        return first.hasClaim(Claim.NOT_A_FAILURE) && !second.hasClaim(Claim.NOT_A_FAILURE);
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
