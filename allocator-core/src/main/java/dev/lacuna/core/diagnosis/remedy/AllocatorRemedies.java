package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Remedy.LiveAction;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Settings of the allocator. A settings string replaces the one before it as a whole, so each command is the whole string;
 * pairs that exclude each other (NPU: expandable segments with a split size or a threshold; elsewhere these two have no
 * effect beside expandable segments) never stand in one list.
 */
final class AllocatorRemedies {
    private static final String MAX_SPLIT = "max_split_size_mb";
    private static final String GC = "garbage_collection_threshold";

    private AllocatorRemedies() {}

    /** MindSpeed's two-lifetime pools, by the switch that it reads at the start. Excludes its adaptive memory. */
    static Optional<Remedy> mindspeedFragmentation(Evidence e) {
        boolean applies = e.report().framework() == Framework.TORCH_NPU
                && !e.isOn(Setting.OPTIMISATION)
                && !e.isOn(Setting.ADAPTIVE_MEMORY);
        return applies
                ? Optional.of(Remedy.manual(
                                "memory-fragmentation",
                                Optional.of("--memory-fragmentation"),
                                Remedy.whyOf("memory-fragmentation"))
                        .gaining(usableGap(e)))
                : Optional.empty();
    }

    /** The same beside a shortage that it alone does not cure. */
    static Optional<Remedy> mindspeedFragmentationIfGapIsLarge(Evidence e) {
        return gapIsLarge(e) ? mindspeedFragmentation(e) : Optional.empty();
    }

    /** Gives wholly free segments back, which an allocator does by itself only when its own request fails. */
    static Optional<Remedy> emptyCache(Evidence e) {
        if (RoomRemedies.withoutTorch(e) || RoomRemedies.showsNoTorch(e)) {
            return Optional.empty();
        }
        Optional<String> module = switch (e.report().framework()) {
            case PYTORCH_CUDA, PYTORCH_ROCM, PYTORCH_CUDA_MALLOC_ASYNC -> Optional.of("cuda");
            case TORCH_NPU, ASCEND_RUNTIME -> Optional.of("npu");
            case PYTORCH_XPU, IPEX_XPU -> Optional.of("xpu");
            case PYTORCH_MPS -> Optional.of("mps");
            default -> Optional.empty();
        };
        OptionalLong releasable = e.report().gapParts().stream()
                .mapToLong(GapParts::releasableBytes)
                .findFirst();
        return module.map(name -> Remedy.manual(
                        "empty-cache", Optional.of("torch." + name + ".empty_cache()"), Remedy.whyOf("empty-cache"))
                .gaining(releasable));
    }

    /** PyTorch's own pool instead of CUDA's: its figures can be judged and its segments can expand. */
    static Optional<Remedy> nativeBackend(Evidence e) {
        if (e.report().framework() != Framework.PYTORCH_CUDA_MALLOC_ASYNC) {
            return Optional.empty();
        }
        if (e.surroundings().show(Trait.COMFYUI)) {
            // It adds its own back end behind whatever the variable says, so only its switch turns that off.
            return Optional.of(Remedy.manual("native-backend", Optional.of("--disable-cuda-malloc"), whyNative(e)));
        }
        if (e.origin().serves()) {
            return Optional.empty(); // Whoever runs a server turns its options, and its PyTorch may know no such word.
        }
        PrintedAllocConf own = conf(e).with("backend", "native");
        PrintedAllocConf whole = e.origin().onWindows() ? own : own.with("expandable_segments", "True");
        return Optional.of(Remedy.manual("native-backend", Optional.of(whole.toString()), whyNative(e)));
    }

    /** Windows' driver cannot map memory the way that segments which expand need. */
    private static Text whyNative(Evidence e) {
        return e.origin().onWindows() ? Text.of("remedy.native-backend.why.windows") : Remedy.whyOf("native-backend");
    }

    /**
     * Lacuna's segregated pools over shared chunks. The agent serves the CPU's memory as a virtual device today, so only
     * a report of its own comes with a command and a figure; to the others it is offered as what a process under the
     * agent can do.
     */
    static Optional<Remedy> optimisationOn(Evidence e) {
        boolean older = TorchAge.isBefore(e, TorchAge.PLUGGABLE);
        if (e.isOn(Setting.OPTIMISATION) || older || !runsUnderLacuna(e.report())) {
            return Optional.empty();
        }
        return Optional.of(isLacuna(e.report()) ? optimisationHere(e) : optimisationElsewhere(e));
    }

    /** The same first of all where it runs already: on real cards it is untried, and frameworks' own settings are not. */
    static Optional<Remedy> optimisationOnFirst(Evidence e) {
        return isLacuna(e.report()) ? optimisationOn(e) : Optional.empty();
    }

    private static boolean mayBeOlder(Evidence e) {
        return e.report().form() == MessageForm.RESERVED_WITH_ADVICE
                && e.report().framework() == Framework.PYTORCH_CUDA;
    }

    private static Remedy optimisationHere(Evidence e) {
        OptionalLong gap = e.knownGap();
        Text why = gap.orElse(0) > 0
                ? Remedy.whyOf("optimisation-on", Text.size(gap.getAsLong()))
                : Text.of("remedy.optimisation-on.why.plain");
        return optimisation(Optional.of("lacuna set PID optimisation=on"), why, gap);
    }

    private static Remedy optimisationElsewhere(Evidence e) {
        Text why = Text.of("remedy.optimisation-on.why.elsewhere" + (mayBeOlder(e) ? ".newer" : ""));
        return optimisation(Optional.empty(), why, OptionalLong.empty());
    }

    private static Remedy optimisation(Optional<String> command, Text why, OptionalLong gainBytes) {
        return new Remedy(
                "optimisation-on",
                Remedy.titleOf("optimisation-on"),
                command,
                why,
                new LiveAction.TurnOptimisationOn(),
                gainBytes);
    }

    /** The same beside a shortage that it alone does not cure, where the gap is large. */
    static Optional<Remedy> optimisationOnIfGapIsLarge(Evidence e) {
        return gapIsLarge(e) ? optimisationOn(e) : Optional.empty();
    }

    /** Expandable segments beside a shortage that they alone do not cure, where the gap is large. */
    static Optional<Remedy> expandableSegmentsIfGapIsLarge(Evidence e) {
        return gapIsLarge(e) ? expandableSegments(e) : Optional.empty();
    }

    /** PyTorch 2.1 and later on CUDA, torch_npu: ROCm warns that its platform does not support them, and goes on without. */
    static Optional<Remedy> expandableSegments(Evidence e) {
        if (!canExpand(e) || e.isOn(Setting.EXPANDABLE_SEGMENTS)) {
            return Optional.empty();
        }
        boolean npu = e.report().framework() == Framework.TORCH_NPU;
        PrintedAllocConf conf = npu ? conf(e).without(MAX_SPLIT, GC) : conf(e).without(MAX_SPLIT);
        return Optional.of(Remedy.manual(
                        "expandable-segments",
                        Optional.of(conf.with("expandable_segments", "True").toString()),
                        npu ? Text.of("remedy.expandable-segments.why.npu") : Remedy.whyOf("expandable-segments"))
                .gaining(usableGap(e)));
    }

    /** The same beside a shortage that it alone does not cure. */
    static Optional<Remedy> maxSplitSizeIfGapIsLarge(Evidence e) {
        return e.fullness().isSpilled() && gapIsLarge(e) ? maxSplitSize(e) : Optional.empty();
    }

    /** PyTorch 1.10 … 2.0, which advise it themselves, and later ones where segments cannot expand: Windows, ROCm. */
    static Optional<Remedy> maxSplitSize(Evidence e) {
        boolean advised = e.report().form() == MessageForm.RESERVED_WITH_ADVICE;
        boolean later = !canExpand(e) && printsSentences(e.report());
        if (!isCudaOrRocm(e.report())
                || !advised && !later
                || e.isOn(Setting.MAX_SPLIT_SIZE)
                || e.isOn(Setting.EXPANDABLE_SEGMENTS)
                || isOfSmallPieces(e)) {
            return Optional.empty();
        }
        return Optional.of(Remedy.manual(
                "max-split-size",
                Optional.of(conf(e).with(MAX_SPLIT, "512").toString()),
                namesWhatIsNotThere(e) ? Text.of("remedy.max-split-size.why.rocm") : Remedy.whyOf("max-split-size")));
    }

    /** PyTorch's sentence is the same on every device, whatever its build can do. */
    private static boolean namesWhatIsNotThere(Evidence e) {
        return e.report().framework() == Framework.PYTORCH_ROCM
                && e.report().context().says("expandable_segments");
    }

    /** Whether small pieces were missing of a small gap: what is kept whole for large ones serves none of them. */
    private static boolean isOfSmallPieces(Evidence e) {
        return e.fullness().isHardlyFragmented()
                && !e.fullness().isSpilled()
                && e.tried().orElse(0) < LARGE_PIECE;
    }

    private static final long LARGE_PIECE = 256L << 20;

    /** Frees unused blocks before the cap is reached: works only where a cap is set, and where segments do not expand. */
    static Optional<Remedy> gcThreshold(Evidence e) {
        boolean capped = e.report().allowedBytes().isPresent() && isCudaOrRocm(e.report());
        boolean apart = !canExpand(e)
                && !e.isOn(Setting.EXPANDABLE_SEGMENTS)
                && maxSplitSize(e).isEmpty();
        if (!capped || !apart || e.isOn(Setting.GC_THRESHOLD)) {
            return Optional.empty();
        }
        return Optional.of(Remedy.manual(
                "gc-threshold", Optional.of(conf(e).with(GC, "0.8").toString()), Remedy.whyOf("gc-threshold")));
    }

    /** PyTorch before 2.1 knows no setting that closes the gap; Windows and ROCm have none later either. */
    static Optional<Remedy> upgrade(Evidence e) {
        if (e.origin().onWindows() || e.report().framework() != Framework.PYTORCH_CUDA) {
            return Optional.empty();
        }
        boolean old = switch (e.report().form()) {
            case CACHED, RESERVED_IN_TOTAL, RESERVED_WITH_ADVICE -> true;
            default -> false;
        };
        return old
                ? Optional.of(Remedy.manual(
                        "upgrade",
                        Optional.empty(),
                        Remedy.whyOf("upgrade", Text.word(e.report().form().versions()))))
                : Optional.empty();
    }

    /** What closing the gap can give: never what private pools keep for themselves. */
    private static OptionalLong usableGap(Evidence e) {
        OptionalLong gap = e.room().usableGap().isPresent()
                ? e.room().usableGap()
                : e.pool().gapBytes();
        return gap.orElse(0) > 0 ? gap : OptionalLong.empty();
    }

    /** Whether the message is of Lacuna's own allocator. */
    static boolean isLacuna(OomReport report) {
        return report.framework() == Framework.OTHER && report.text().startsWith("Lacuna");
    }

    /** Whether the gap is above the field's threshold. */
    static boolean gapIsLarge(Evidence e) {
        OptionalLong gap = e.room().usableGap().isPresent()
                ? e.room().usableGap()
                : e.pool().gapBytes();
        return gap.orElse(0) > e.thresholds().gapBytes();
    }

    private static boolean runsUnderLacuna(OomReport report) {
        return switch (report.framework()) {
            case PYTORCH_CUDA, TORCH_NPU -> true;
            default -> isLacuna(report);
        };
    }

    private static boolean canExpand(Evidence e) {
        if (e.origin().onWindows()) {
            return false;
        }
        return e.report().framework() == Framework.TORCH_NPU
                || e.report().framework() == Framework.PYTORCH_CUDA && printsSentences(e.report());
    }

    /** PyTorch 2.1 and later. */
    private static boolean printsSentences(OomReport report) {
        return report.form().printsGap();
    }

    private static boolean isCudaOrRocm(OomReport report) {
        return report.framework() == Framework.PYTORCH_CUDA || report.framework() == Framework.PYTORCH_ROCM;
    }

    /** The settings that hold, to which something is added; a variable that is set already is the one to go on with. */
    private static PrintedAllocConf conf(Evidence e) {
        return e.conf().orElseGet(() -> PrintedAllocConf.empty(confVariable(e.report())));
    }

    /** The variable that the message names, else the one that every version of the framework reads. */
    private static String confVariable(OomReport report) {
        return report.confVariable()
                .orElse(
                        switch (report.framework()) {
                            case TORCH_NPU -> "PYTORCH_NPU_ALLOC_CONF";
                            case PYTORCH_ROCM -> "PYTORCH_HIP_ALLOC_CONF";
                            default -> "PYTORCH_CUDA_ALLOC_CONF";
                        });
    }
}
