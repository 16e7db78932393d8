package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.base.counters.RecommendedFraction;
import dev.lacuna.core.diagnosis.model.DeviceKind;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Remedy.LiveAction;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.ProcessUse;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import dev.lacuna.core.diagnosis.rule.ListingRule;
import dev.lacuna.core.diagnosis.rule.NearLimitNote;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Sharing the device between the pool and what lies outside it: fractions, limits, other processes, collectives' buffers. */
final class RoomRemedies {
    private RoomRemedies() {}

    /** A cap on the pool that leaves collectives and the driver what they were measured to take. */
    static Optional<Remedy> fractionForOthers(Evidence e) {
        if (!takesFraction(e) || withoutTorch(e)) {
            return Optional.empty();
        }
        if (showsNoTorch(e)) {
            return Optional.of(Remedy.manual("fraction", Optional.empty(), Text.of("remedy.fraction.why.untold"))
                    .titled(Text.of("remedy.fraction.title.untold")));
        }
        OptionalLong outside = e.knownOutside();
        OptionalLong total = e.knownTotal();
        long wanted = e.claims(Claim.OUTSIDE_ALLOCATION) ? e.tried().orElse(0) : 0;
        long known = Math.max(0, outside.orElse(0)) + wanted;
        if (known <= 0 || total.orElse(0) <= known) {
            return Optional.of(fraction(
                    e,
                    RecommendedFraction.USUAL,
                    Text.of("remedy.fraction.why.usual", Text.fraction(RecommendedFraction.USUAL))));
        }
        double room = RecommendedFraction.of(total.getAsLong(), known, 0).fraction();
        double value = outside.isPresent() ? room : Math.min(room, RecommendedFraction.USUAL);
        return Optional.of(fraction(
                e,
                value,
                Remedy.whyOf(
                        "fraction", Text.size(known), Text.fraction(value), Text.fraction(RecommendedFraction.USUAL))));
    }

    /** The same where something else than the bare driver failed: of that nothing says that a pool stood in its way. */
    static Optional<Remedy> fractionForLibrary(Evidence e) {
        boolean driver = e.report().framework().family() == Framework.Family.TORCH
                && e.report().framework() != Framework.ASCEND_RUNTIME
                && !e.claims(Claim.COLLECTIVE)
                && !e.report().text().toUpperCase(Locale.ROOT).contains("STATUS");
        return driver && e.knownGap().isEmpty() ? Optional.empty() : fractionForOthers(e);
    }

    /** A device of the table beside the message that has far more free than another. */
    static Optional<Remedy> otherDevice(Evidence e) {
        return e.claims(Claim.HELD_BY_OTHERS)
                        || e.total().isPresent()
                        || e.report().isOfHost()
                ? Optional.empty()
                : ListingRule.emptierDevice(e.report().listings());
    }

    /** Ranks that meet at a first collective before they hold anything: all on one device, or on one that is taken. */
    static Optional<Remedy> deviceOfRank(Evidence e) {
        boolean meets = e.claims(Claim.OUTSIDE_ALLOCATION)
                && e.device() == DeviceKind.NVIDIA
                && e.knownGap().isEmpty()
                && e.report().context().lines().stream()
                        .anyMatch(line -> MEETING.stream().anyMatch(line::contains));
        return meets
                ? Optional.of(Remedy.manual("own-device", ofRank(e), Text.of("remedy.own-device.why.meeting")))
                : Optional.empty();
    }

    /** A line for a script of one's own, which a server is none of. */
    private static Optional<String> ofRank(Evidence e) {
        return e.origin().serves() ? Optional.empty() : Optional.of("torch.cuda.set_device(local_rank)");
    }

    /** Whether it was the device itself that could not be opened: nothing has been asked of it that could be smaller. */
    static boolean opensDevice(Evidence e) {
        return e.claims(Claim.OUTSIDE_ALLOCATION)
                && e.report().context().lines().stream()
                        .anyMatch(line -> OPENING.stream().anyMatch(line::contains));
    }

    private static final List<String> OPENING = List.of(
            "SetDevice(",
            "SetDevice execut",
            "_cuda_setDevice",
            "PrimaryCtxRetain",
            "cuCtxCreate",
            "cuInit",
            "device retain error",
            "cudaMemGetInfo");

    private static final List<String> MEETING = List.of(
            "barrier(",
            "init_process_group",
            "DistributedDataParallel",
            "_sync_params",
            "_verify_params_across_processes",
            "_verify_model_across_ranks",
            "memory allocated: 0");

    /** The same, where collectives are likely to need it next: the device holds more outside the pool than lies there anyway. */
    static Optional<Remedy> fractionIfCollectivesFail(Evidence e) {
        boolean npu = e.report().framework() == Framework.TORCH_NPU;
        boolean collectives = e.claims(Claim.COLLECTIVE) || e.surroundings().show(Trait.HCCL);
        return npu && collectives && e.others().beyondShare().orElse(0) > 0 ? fractionForOthers(e) : Optional.empty();
    }

    /** Raises the cap that was hit as far as what lies outside allows. */
    static Optional<Remedy> raiseLimit(Evidence e) {
        OptionalLong allowed = e.report().allowedBytes();
        if (!takesFraction(e) || allowed.isEmpty() || e.total().isEmpty()) {
            return Optional.empty();
        }
        RecommendedFraction most = RecommendedFraction.of(
                e.total().getAsLong(), Math.max(0, e.outside().orElse(0)), 0);
        if (most.capBytes() <= allowed.getAsLong()) {
            return Optional.empty();
        }
        return Optional.of(new Remedy(
                "raise-limit",
                Remedy.titleOf("raise-limit", Text.fraction(most.fraction())),
                Optional.of(fractionCommand(e.report(), most.fraction())),
                Remedy.whyOf("raise-limit", Text.size(allowed.getAsLong()), Text.size(most.capBytes())),
                new LiveAction.SetFraction(most.fraction()),
                OptionalLong.of(most.capBytes() - allowed.getAsLong())));
    }

    /** The same where the cap was hit as far as the printed figures can show. */
    static Optional<Remedy> raiseLimitIfNear(Evidence e) {
        return NearLimitNote.holds(e) ? raiseLimit(e) : Optional.empty();
    }

    /** MPS's own limit. */
    static Optional<Remedy> mpsWatermark(Evidence e) {
        boolean unlimited = e.tried().isPresent() && e.report().allowedBytes().isEmpty() && !e.claims(Claim.LIMIT);
        if (e.report().framework() != Framework.PYTORCH_MPS || e.isOn(Setting.MPS_WATERMARK) || unlimited) {
            return Optional.empty();
        }
        boolean late = e.isOn(Setting.MPS_WATERMARK_INSIDE)
                && e.report().allowedBytes().isPresent(); // Without a limit none is printed.
        return Optional.of(Remedy.manual(
                "mps-watermark",
                Optional.of("PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0" + (late ? " python3 SCRIPT" : "")),
                late ? Text.of("remedy.mps-watermark.why.late") : Remedy.whyOf("mps-watermark")));
    }

    /** Other processes on the device; not where the figures show that next to nothing lies outside, nor on a TPU, which has one owner. */
    static Optional<Remedy> stopOthers(Evidence e) {
        long beyond = e.others().beyondShare().orElse(0);
        boolean measured = e.outside().isPresent();
        if (e.room().freeWasEnough()) {
            return Optional.empty(); // What others held was not what lacked: a cap was met, or something else refused.
        }
        if (e.surroundings().show(Trait.NOTEBOOK_SERVICE)
                && e.report().otherProcesses().isEmpty()) {
            return Optional.empty(); // Its device is shared with nobody, and there is no other to go to.
        }
        boolean nobody = measured && beyond <= 0
                || e.others().hasDeviceToItself()
                || !measured && (e.fullness().fillsDeviceItself() || countsItsPool(e));
        if (e.device() == DeviceKind.TPU || e.device() == DeviceKind.HOST || nobody) {
            return Optional.empty();
        }
        if (e.total().isEmpty() && e.tried().orElse(0) >= HUGE) {
            return Optional.empty(); // What others hold is not what a request of that size lacks.
        }
        if (areRanksOfOneJob(e) || haveNumbersOfOneJob(e)) {
            Text.Argument others = Text.count(e.report().otherProcesses().size());
            return Optional.of(Remedy.manual(
                    "own-device",
                    ofRank(e),
                    haveNumbersOfOneJob(e)
                            ? Text.of("remedy.own-device.why.numbers", others)
                            : Remedy.whyOf("own-device", others)));
        }
        if (beyond > 0 && e.surroundings().show(Trait.COLOCATED)) {
            return Optional.of(Remedy.manual(
                            "stop-others",
                            whoUses(e),
                            Text.of(
                                    "remedy.stop-others.why.job",
                                    Text.size(e.outside().orElseThrow())))
                    .titled(Text.of("remedy.stop-others.title.job")));
        }
        boolean unlisted = e.device() == DeviceKind.NVIDIA
                && (e.origin().onWindows() || e.surroundings().show(Trait.WSL));
        String place = unlisted ? ".windows" : "";
        if (ServingRemedies.leavesTooLittle(e) && !unlisted) {
            return Optional.of(Remedy.manual(
                    "stop-others",
                    whoUses(e.device()),
                    Text.of(
                            "remedy.stop-others.why.start",
                            Text.size(e.free().orElseThrow()),
                            Text.size(e.total().orElseThrow()))));
        }
        Text why = beyond > 0
                ? Text.of(
                        "remedy.stop-others.why" + place, Text.size(e.outside().orElseThrow()))
                : Text.of("remedy.stop-others.why.plain" + place);
        boolean told = beyond > 0 || e.claims(Claim.HELD_BY_OTHERS);
        return Optional.of(new Remedy(
                "stop-others",
                told ? Remedy.titleOf("stop-others") : Text.of("remedy.stop-others.title.plain"),
                unlisted || mayBeNoGpu(e)
                        ? Optional.empty()
                        : whoUses(e), // Its driver tells no process's memory there.
                why,
                new LiveAction.None(),
                beyond > 0 ? OptionalLong.of(e.others().listedBytes().orElse(beyond)) : OptionalLong.empty()));
    }

    /** The same beside a gap, where the message itself names others that hold more than lies outside anyway. */
    static Optional<Remedy> stopListedOthers(Evidence e) {
        boolean listed = !e.report().otherProcesses().isEmpty()
                && e.others().beyondShare().orElse(0) > 0
                && !e.others().isListedUnderAnotherNumber();
        return listed ? stopOthers(e) : Optional.empty();
    }

    /** The same first, where they hold more than lies in pieces: without them there was room, whatever its shape. */
    static Optional<Remedy> stopListedOthersFirst(Evidence e) {
        return e.others().listedBytes().orElse(0) > e.gap().orElse(0) ? stopListedOthers(e) : Optional.empty();
    }

    /** Whether a pool with a limit of its own tells what of it was in use: what others hold of the device moves neither. */
    private static boolean countsItsPool(Evidence e) {
        return e.report().framework() == Framework.TENSORFLOW
                && e.total().isPresent()
                && e.report().allocatedBytes().isPresent();
    }

    /** The same before the work is made smaller where something tells of others or the device itself refused, unless one request is larger than what others are likely to hold. */
    static Optional<Remedy> stopOthersFirst(Evidence e) {
        boolean large =
                e.total().isEmpty() && e.request().largestAsked() >= LARGE && !FrameworkRemedies.isReservation(e);
        boolean told = e.others().beyondShare().orElse(0) > 0
                || e.claims(Claim.HELD_BY_OTHERS)
                || e.claims(Claim.OUTSIDE_ALLOCATION);
        return !told || large || holdsMostItself(e) || e.origin().isOfPlacement() ? Optional.empty() : stopOthers(e);
    }

    private static final long LARGE = 2L << 30;

    /** Whether a message without the device's size tells that what this process took is most of what there is. */
    private static boolean holdsMostItself(Evidence e) {
        long allocated = e.report().allocatedBytes().orElse(0);
        return e.report().framework() == Framework.PADDLE
                && e.free().isPresent()
                && allocated / 4 > e.free().getAsLong();
    }

    /** Several processes that hold equally little beside this one: each rank of a job has opened the same device. */
    private static boolean areRanksOfOneJob(Evidence e) {
        List<ProcessUse> others = e.report().otherProcesses();
        LongSummaryStatistics held =
                others.stream().mapToLong(p -> p.bytes().orElse(0)).summaryStatistics();
        return others.size() > 1
                && e.device() == DeviceKind.NVIDIA
                && held.getMin() > 0
                && held.getMax() <= MOST_OF_A_CONTEXT
                && held.getMax() - held.getMin() <= held.getMax() / 10;
    }

    /**
     * Several processes whose numbers follow one another, and which hold about as much each as this one on the whole: they were
     * started together.
     */
    private static boolean haveNumbersOfOneJob(Evidence e) {
        List<ProcessUse> others = e.report().otherProcesses();
        LongSummaryStatistics numbers =
                others.stream().mapToLong(ProcessUse::pid).distinct().summaryStatistics();
        long[] told = others.stream()
                .mapToLong(p -> p.bytes().orElse(0))
                .filter(bytes -> bytes > 0)
                .sorted()
                .toArray();
        long each = told.length > 0 ? told[told.length / 2] : e.outside().orElse(0) / Math.max(1, numbers.getCount());
        long own = e.report().reservedBytes().orElse(0);
        boolean untold = told.length == 0 && numbers.getMax() - numbers.getMin() < 2L * others.size();
        return numbers.getCount() > 2
                && each <= own * 4
                && own <= each * 4
                && e.device() == DeviceKind.NVIDIA
                && (untold || e.report().rank().isPresent() && mostFollowOneAnother(others));
    }

    /** Whether most of them have numbers next to one another, as a launcher's processes have. */
    private static boolean mostFollowOneAnother(List<ProcessUse> others) {
        List<Long> sorted =
                others.stream().map(ProcessUse::pid).distinct().sorted().toList();
        long middle = sorted.get(sorted.size() / 2);
        long near = sorted.stream()
                .filter(pid -> Math.abs(pid - middle) <= sorted.size())
                .count();
        return near > 2 && 4 * near >= 3L * sorted.size();
    }

    private static final long HUGE = 64L << 30;
    private static final long MOST_OF_A_CONTEXT = 2L << 30;

    /** The largest size of RAPIDS' pool, where it was that which refused. */
    static Optional<Remedy> rmmPool(Evidence e) {
        return e.report().library().filter("rmm"::equals).isPresent()
                ? Optional.of(Remedy.manual(
                        "rmm-pool",
                        inPython(e)
                                ? Optional.of("rmm.reinitialize(pool_allocator=True, maximum_pool_size=BYTES)")
                                : Optional.empty(),
                        Remedy.whyOf("rmm-pool")))
                : Optional.empty();
    }

    /** The cap that CUDA.jl was started with; only releases that have the older variable print it so. */
    static Optional<Remedy> juliaCap(Evidence e) {
        return e.report().library().filter("cuda.jl"::equals).isPresent() && e.claims(Claim.LIMIT)
                ? Optional.of(Remedy.manual(
                        "julia-cap", Optional.of("JULIA_CUDA_MEMORY_LIMIT=BYTES"), Remedy.whyOf("julia-cap")))
                : Optional.empty();
    }

    /** Whether RAPIDS itself runs, not a program in C++ that has the same library built in. */
    private static boolean inPython(Evidence e) {
        return e.report().context().lines().stream().noneMatch(line -> line.contains("third_party/rmm"));
    }

    /** NVIDIA's encoder counts its sessions, and calls one too many so. */
    static Optional<Remedy> encoderSessions(Evidence e) {
        return isEncoder(e)
                ? Optional.of(Remedy.manual("encoder-sessions", Optional.empty(), Remedy.whyOf("encoder-sessions")))
                : Optional.empty();
    }

    private static boolean isEncoder(Evidence e) {
        return e.report().library().filter("nvenc"::equals).isPresent();
    }

    /** A device of so little memory is a processor's own graphics; the card is another one. */
    static Optional<Remedy> integrated(Evidence e) {
        boolean small = e.device() == DeviceKind.AMD && e.total().orElse(Long.MAX_VALUE) <= OF_GRAPHICS;
        return small
                ? Optional.of(Remedy.manual(
                        "integrated-device", Optional.of("HIP_VISIBLE_DEVICES=1"), Remedy.whyOf("integrated-device")))
                : Optional.empty();
    }

    private static final long OF_GRAPHICS = 1L << 30;

    /** Processes that hold a good part of the device beside a gap that decided by little. */
    static Optional<Remedy> stopManyOthers(Evidence e) {
        boolean many = e.others().beyondShare().orElse(0) > e.total().orElse(Long.MAX_VALUE) / 5;
        return many ? stopOthers(e) : Optional.empty();
    }

    /** Libraries of the same process that take their memory beside the pool, where they hold more than is usual. */
    static Optional<Remedy> besidePool(Evidence e) {
        return e.others().holdsMuchBesideItself()
                ? Optional.of(Remedy.manual(
                        "beside-pool",
                        Optional.empty(),
                        Remedy.whyOf("beside-pool", Text.size(e.outside().orElseThrow()))))
                : Optional.empty();
    }

    /** The limit that a script has set CuPy's pool. */
    static Optional<Remedy> cupyLimit(Evidence e) {
        return e.report().library().filter("cupy"::equals).isPresent() && e.claims(Claim.LIMIT)
                ? Optional.of(Remedy.manual(
                        "cupy-limit",
                        Optional.of("cupy.get_default_memory_pool().set_limit(size=BYTES)"),
                        Remedy.whyOf("cupy-limit")))
                : Optional.empty();
    }

    /** A server that found most of its share taken before it had any itself. */
    static Optional<Remedy> stopOthersAtStart(Evidence e) {
        boolean taken = e.others().takenAtStart().orElse(0) > e.thresholds().othersBytes();
        return taken ? stopOthers(e) : Optional.empty();
    }

    /** The device had room by its own figures, and others hold next to nothing: something below the framework refused. */
    static Optional<Remedy> hiddenLimit(Evidence e) {
        if (e.room().freeWasEnough() && e.origin().onWindows()) {
            // Windows backs a device's memory with what it commits of the host's.
            return Optional.of(
                    Remedy.manual("paging-file", Optional.empty(), Text.of("remedy.paging-file.why.device")));
        }
        return (e.room().freeWasEnough() || e.request().isOnLargerCard()) && !NearLimitNote.holds(e)
                ? Optional.of(Remedy.manual("hidden-limit", whatHolds(e.device()), Remedy.whyOf("hidden-limit")))
                : Optional.empty();
    }

    /** XLA prints the same on a host: something has to tell of a GPU before its tool is named. */
    private static boolean mayBeNoGpu(Evidence e) {
        return e.report().framework() == Framework.JAX_XLA
                && !e.surroundings().show(Trait.NVIDIA)
                && !e.surroundings().show(Trait.ROCM)
                && Stream.concat(Stream.of(e.report().text()), e.report().context().lines().stream())
                        .noneMatch(line -> line.contains("GPU") || line.contains("gpu") || line.contains("cuda"));
    }

    /** A module with one memory has a tool of its own. */
    private static Optional<String> whoUses(Evidence e) {
        return e.surroundings().show(Trait.JETSON) ? Optional.of("sudo tegrastats") : whoUses(e.device());
    }

    private static Optional<String> whoUses(DeviceKind kind) {
        return switch (kind) {
            case NVIDIA -> Optional.of("nvidia-smi --query-compute-apps=pid,used_memory,name --format=csv");
            case AMD -> Optional.of("rocm-smi --showpids");
            case ASCEND -> Optional.of("npu-smi info");
            case INTEL -> Optional.of("xpu-smi ps");
            case APPLE, TPU, HOST, UNKNOWN -> Optional.empty();
        };
    }

    private static Optional<String> whatHolds(DeviceKind kind) {
        return switch (kind) {
            case NVIDIA -> Optional.of("nvidia-smi -q -d MEMORY");
            case AMD -> Optional.of("rocm-smi --showmeminfo vram gtt");
            case ASCEND -> Optional.of("npu-smi info -t usages -i 0");
            case INTEL, APPLE, TPU, HOST, UNKNOWN -> Optional.empty();
        };
    }

    /** HCCL keeps 200 MB for each communication group by default. */
    static Optional<Remedy> collectiveBuffers(Evidence e) {
        boolean asked = e.claims(Claim.COLLECTIVE) || e.surroundings().show(Trait.HCCL);
        boolean queues = e.report().context().says("resource[qp]"); // Queues between ranks are no buffers.
        boolean set = queues
                || asked && e.tried().orElse(0) >= SET_LARGER; // By HCCL_BUFFSIZE, for an operator that needs it.
        boolean aside = e.claims(Claim.OUTSIDE_ALLOCATION) && !asked
                || e.others().weighMost() && !asked
                || e.claims(Claim.HELD_BY_OTHERS);
        if (e.isOn(Setting.COLLECTIVE_BUFFERS) || set || aside) {
            return Optional.empty();
        }
        return switch (e.report().framework()) {
            case TORCH_NPU, MINDSPORE_ASCEND, ASCEND_RUNTIME ->
                Optional.of(Remedy.manual(
                        "collective-buffers", Optional.of("HCCL_BUFFSIZE=100"), Remedy.whyOf("collective-buffers")));
            default -> Optional.empty();
        };
    }

    /** Two buffers of the default. */
    private static final long SET_LARGER = 512L << 20;

    /** A collective library prints the same words under whatever framework called it: something has to tell that it was PyTorch. */
    static boolean showsNoTorch(Evidence e) {
        return e.claims(Claim.COLLECTIVE)
                && !e.surroundings().show(Trait.TORCH)
                && !e.origin().trains();
    }

    /** CANN's runtime prints the same under MindSpore, TensorFlow and programs in C++. */
    static boolean withoutTorch(Evidence e) {
        return e.report().framework() == Framework.ASCEND_RUNTIME
                && !e.surroundings().show(Trait.TORCH);
    }

    private static Remedy fraction(Evidence e, double value, Text why) {
        return new Remedy(
                "fraction",
                Remedy.titleOf("fraction", Text.fraction(value)),
                Optional.of(fractionCommand(e.report(), value)),
                why,
                new LiveAction.SetFraction(value),
                OptionalLong.empty());
    }

    private static String fractionCommand(OomReport report, double value) {
        String number = String.format(Locale.ROOT, "%.2f", value);
        return switch (report.framework()) {
            case TORCH_NPU, ASCEND_RUNTIME -> "torch.npu.set_per_process_memory_fraction(" + number + ")";
            case PYTORCH_CUDA, PYTORCH_ROCM -> "torch.cuda.set_per_process_memory_fraction(" + number + ")";
            default -> "lacuna set PID fraction=" + number;
        };
    }

    private static boolean takesFraction(Evidence e) {
        if (TorchAge.isBefore(e, TorchAge.FRACTION)) {
            return false;
        }
        return switch (e.report().framework()) {
            case TORCH_NPU, ASCEND_RUNTIME, PYTORCH_CUDA, PYTORCH_ROCM -> true;
            default -> AllocatorRemedies.isLacuna(e.report());
        };
    }
}
