package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a rule may look at.
 *
 * @param report the message
 * @param settings what is known to be on: from the message, its log, the attached process
 * @param conf the allocator settings string that the log shows
 * @param surroundings where the message was printed, as far as the lines around it tell
 * @param grows whether the log prints memory that grows from step to step
 * @param pool the pool as known from beside the message
 * @param thresholds what counts as much
 */
public record Evidence(
        OomReport report,
        Set<Setting> settings,
        Optional<PrintedAllocConf> conf,
        Surroundings surroundings,
        boolean grows,
        PoolState pool,
        Thresholds thresholds) {
    public Evidence {
        settings = Set.copyOf(settings);
    }

    public boolean claims(Claim claim) {
        return report.claims().contains(claim);
    }

    public boolean isOn(Setting setting) {
        return settings.contains(setting);
    }

    public OptionalLong tried() {
        return report.triedBytes();
    }

    public OptionalLong free() {
        return report.freeBytes();
    }

    public OptionalLong total() {
        return report.totalBytes();
    }

    /** Reserved − allocated, from the message. */
    public OptionalLong gap() {
        return report.gapBytes();
    }

    /** Total − free − reserved, from the message. */
    public OptionalLong outside() {
        return report.outsideBytes();
    }

    /** Reserved − allocated, from the message or else from beside it. */
    public OptionalLong knownGap() {
        return gap().isPresent() ? gap() : pool.gapBytes();
    }

    /** What lies outside the pool, from the message or else from beside it. */
    public OptionalLong knownOutside() {
        return outside().isPresent() ? outside() : pool.outsideBytes();
    }

    /** Capacity, from the message or else from beside it. */
    public OptionalLong knownTotal() {
        return total().isPresent() ? total() : pool.totalBytes();
    }

    /**
     * The gap without what private pools keep for themselves, from the message; and without what the large blocks' pool
     * keeps, where a small request failed, unless that is much.
     */
    public OptionalLong usableGap() {
        return isOfSmallPool() ? OptionalLong.of(0) : report.usableGapBytes();
    }

    /**
     * Whether PyTorch's pool of small blocks wanted one more segment: it prints that segment's 2 MiB for every request of
     * at most 1 MiB. What a gap below the threshold holds is nearly all of the large blocks' pool and serves none of them.
     */
    public boolean isOfSmallPool() {
        boolean small = tried().isPresent() && tried().getAsLong() > 0 && tried().getAsLong() <= SMALL_SEGMENT;
        return small
                && report.framework().family() == Framework.Family.TORCH
                && !claims(Claim.OUTSIDE_ALLOCATION)
                && report.gapBytes().isPresent()
                && report.gapBytes().getAsLong() <= thresholds.gapBytes();
    }

    private static final long SMALL_SEGMENT = 2L << 20;

    /** Free + usable gap: the largest request that perfect defragmentation could have served. */
    public OptionalLong defragmented() {
        return free().isPresent() && usableGap().isPresent()
                ? OptionalLong.of(free().getAsLong() + usableGap().getAsLong())
                : OptionalLong.empty();
    }

    /** Whether others hold more than half of the device, and more than the gap: then that is weighed first. */
    public boolean othersWeighMost() {
        long outside = outside().orElse(0);
        return total().isPresent() && outside > total().getAsLong() / 2 && outside > gap().orElse(0);
    }

    /**
     * Whether processes that the message names hold a good part of the device, and many times what lies in pieces: ending
     * them helps, closing the gap hardly does.
     */
    public boolean othersOutweighGap() {
        long theirs = report.otherProcesses().stream()
                .mapToLong(other -> other.bytes().orElse(0))
                .sum();
        return isGapSmall()
                && total().isPresent()
                && !isListedUnderAnotherNumber()
                && theirs > total().getAsLong() / 10
                && theirs > MANY * gap().getAsLong();
    }

    private static final int MANY = 8;

    /**
     * Whether the request would have fitted, at the latest without what others hold: by more than the printed figures are
     * rounded, unless what was free alone was enough.
     */
    public boolean wouldFitWithoutOthers() {
        return freeWasEnough() || tried().orElse(0) <= withoutOthers().orElse(Long.MAX_VALUE) - ROUNDING_BYTES;
    }

    /**
     * By how much allocated and tried exceed the whole device, where PyTorch does not print what was free, as on older
     * XPU: what others hold does not matter then.
     */
    public OptionalLong beyondWhole() {
        boolean given = report.framework().family() == Framework.Family.TORCH
                && free().isEmpty()
                && tried().isPresent()
                && total().isPresent()
                && report.allocatedBytes().isPresent();
        if (!given) {
            return OptionalLong.empty();
        }
        long beyond = saturatedSum(report.allocatedBytes().getAsLong(), tried().getAsLong()) - total().getAsLong();
        return beyond > 0 && report.allocatedBytes().getAsLong() <= total().getAsLong()
                ? OptionalLong.of(beyond)
                : OptionalLong.empty();
    }

    /**
     * What of the device was in use when a process found less free than it wanted, before it had taken anything itself;
     * empty for every other message.
     */
    public OptionalLong takenAtStart() {
        boolean start = claims(Claim.HELD_BY_OTHERS) && total().isPresent() && free().isPresent();
        return start ? OptionalLong.of(total().getAsLong() - free().getAsLong()) : OptionalLong.empty();
    }

    /** Whether the lines next to the message show that weights were being loaded: nothing of the work had begun. */
    public boolean loadsWeights() {
        return (LoadingSigns.of(report) || isOfPlacement()) && !report.isOfHost();
    }

    /** Whether Transformers found, before it loaded anything, that quantised weights do not all go onto the device. */
    public boolean isOfPlacement() {
        return report.library().filter("transformers"::equals).isPresent();
    }

    /** Whether weights filled the device: what the pool keeps between them would hold hardly more of them. */
    public boolean fillsByLoading() {
        return loadsWeights()
                && usableGap().orElse(Long.MAX_VALUE) <= thresholds.gapBytes()
                && othersBeyond().orElse(0) == 0
                && total().isPresent()
                && !hadRoom();
    }

    /** Whether so much was free that a driver keeps less for itself: what is printed to the MiB is no room for a request near it. */
    private boolean hadRoom() {
        return freeWasEnough() && free().getAsLong() - tried().getAsLong() > KEPT_BYTES;
    }

    private static final long KEPT_BYTES = 64L << 20;

    /** Whether tensors alone are larger than the card: Windows' driver has moved part of them to the host. */
    public boolean isSpilled() {
        return report.allocatedBytes().orElse(0) > total().orElse(Long.MAX_VALUE);
    }

    /** Whether the gap is of a size that lies in pieces in most pools, against the card and the field's threshold. */
    public boolean isGapSmall() {
        return gap().isPresent()
                && gap().getAsLong() <= thresholds.gapBytes()
                && gap().getAsLong() <= total().orElse(Long.MAX_VALUE) / 100 * FEW_PERCENT;
    }

    private static final int FEW_PERCENT = 10;

    /** Whether the printed free alone would have been enough, and was more than the last of a full device. */
    public boolean freeWasEnough() {
        return tried().isPresent()
                && free().isPresent()
                && tried().getAsLong() <= free().getAsLong()
                && !isLastOfDevice();
    }

    /**
     * Whether what was printed as free is what a driver gives to nobody: a hundredth of the device or less, and little more
     * than was asked for, while a pool has nearly all the rest.
     */
    public boolean isLastOfDevice() {
        boolean known = tried().isPresent() && free().isPresent() && total().isPresent() && isPoolNearlyAll();
        if (!known || report.allowedBytes().isPresent()) {
            return false;
        }
        long free = free().getAsLong();
        return free >= tried().getAsLong()
                && free <= Math.max(KEPT_BYTES, total().getAsLong() / 100)
                && free - tried().getAsLong() <= KEPT_BYTES;
    }

    /** Whether the pool has all but what contexts and collectives take, a tenth of the device at most. */
    private boolean isPoolNearlyAll() {
        return outside().isPresent() && (othersBeyond().orElse(0) == 0 || areOthersSlight());
    }

    /** Whether what lies outside the pool beyond 1 GiB is so little that collectives and contexts may well be all of it. */
    public boolean areOthersSlight() {
        long beyond = othersBeyond().orElse(0);
        return beyond > 0
                && total().isPresent()
                && report.allocatedBytes().isPresent()
                && report.otherProcesses().isEmpty()
                && beyond <= Math.min(total().getAsLong() / TWENTIETH, thresholds.othersBytes())
                && report.allocatedBytes().getAsLong() >= total().getAsLong() / 100 * MOST_LIVE;
    }

    private static final int MOST_LIVE = 80;

    /** Whether a full device refused, by figures that a pool with pieces cannot explain: nothing of it was left. */
    public boolean isFull() {
        boolean refused = isLastOfDevice() || isOfSmallPool() && free().orElse(0) < tried().orElse(0);
        return refused && isPoolNearlyAll() && !isSpilled();
    }

    /** Whether the process itself holds the device, whatever else is not printed. */
    public boolean fillsDeviceItself() {
        long own = Math.max(
                report.amount(Quantity.PROCESS).orElse(0),
                report.allocatedBytes().orElse(0));
        return total().isPresent() && own <= total().getAsLong() && own >= total().getAsLong() / 100 * NEARLY_ALL;
    }

    private static final int NEARLY_ALL = 97;

    /** What was asked for in one piece, printed or worked out from a printed shape; 0 where neither is. */
    public long largestAsked() {
        return tried().isPresent()
                ? tried().getAsLong()
                : PrintedShape.of(report).orElse(0);
    }

    /** Whether one request takes most of what the process holds and asks for, and a good part of the device. */
    public boolean isOneLargeRequest() {
        long tried = tried().orElse(0);
        return total().isPresent()
                && report.allocatedBytes().isPresent()
                && tried > total().getAsLong() / 2
                && tried / MANY > report.allocatedBytes().getAsLong();
    }

    /**
     * How large the card is by what stands elsewhere, where that is more than the framework sees by a quarter, which is no
     * matter of rounding: by a kernel's line about video memory, or by a free memory that is more than the total.
     */
    public OptionalLong largerCard() {
        if (total().isEmpty() || report.isOfHost() || device() == DeviceKind.APPLE) {
            return OptionalLong.empty();
        }
        long said = Math.max(surroundings.vram().orElse(0), free().orElse(0));
        return said / 5 > total().getAsLong() / 4 ? OptionalLong.of(said) : OptionalLong.empty();
    }

    /** Whether the request would have fitted onto the card as it is told elsewhere. */
    public boolean isOnLargerCard() {
        return tried().isPresent() && tried().getAsLong() <= largerCard().orElse(-1);
    }

    /** Whether an optimizer's own step asked: what it keeps for each parameter, no activation. */
    public boolean isInOptimizerStep() {
        boolean inside = false;
        for (String line : report.context().lines()) {
            inside = CLOSURE.stream().noneMatch(line::contains)
                    && (inside || OPTIMIZER.stream().anyMatch(line::contains));
        }
        return inside;
    }

    /** What a step may call first: a closure that computes the loss, whose own frames lie further in. */
    private static final List<String> CLOSURE =
            List.of("in forward", "in backward", ".backward(", "training_step", "closure()", "_call_impl");

    private static final List<String> OPTIMIZER = List.of(
            "exp_avg",
            "optimizer.step(",
            "torch/optim/",
            "torch\\optim\\",
            "_single_tensor_adam",
            "_multi_tensor_adam");

    /** Whether figures contradict each other by more than they are rounded: free above total, or outside below nothing. */
    public boolean isImpossible() {
        boolean freeAboveTotal = free().isPresent() && total().isPresent() && free().getAsLong() > total().getAsLong();
        boolean spilled = report.reservedBytes().orElse(0) > total().orElse(Long.MAX_VALUE);
        return freeAboveTotal || !spilled && outside().orElse(0) < -ROUNDING_BYTES;
    }

    /** Whether more was tried than any device or host holds: a size that was worked out wrong. */
    public boolean isAbsurd() {
        boolean ofDevice = !report.isOfHost() && !claims(Claim.WHOLE_PROGRAM) && tried().orElse(0) > BEYOND_DEVICES;
        return claims(Claim.OVERSIZED) && tried().isEmpty() || ofDevice || tried().orElse(0) >= ABSURD_BYTES;
    }

    private static final long ABSURD_BYTES = 3L << 40;

    /** Hosts may have as much; no device has. */
    private static final long BEYOND_DEVICES = 1L << 40;

    /** Whether so many times the device was tried that no work of its size can be meant: a shape is wrong, or a workspace. */
    public boolean isFarBeyond() {
        return total().isPresent()
                && total().getAsLong() > 0
                && tried().orElse(0) / FAR > total().getAsLong()
                && !claims(Claim.WHOLE_PROGRAM);
    }

    private static final int FAR = 16;

    /** What is missing at the least, as far as the figures tell. */
    public OptionalLong missing() {
        if (tried().isEmpty()) {
            return shapeBeyondPool();
        }
        long tried = tried().getAsLong();
        if (isSpilled()) {
            return above(tried + report.allocatedBytes().getAsLong(), total());
        }
        if (claims(Claim.WHOLE_PROGRAM)) {
            return above(tried, total());
        }
        if (defragmented().isPresent() || claims(Claim.NO_CACHE)) {
            return above(tried, defragmented().isPresent() ? defragmented() : free());
        }
        return above(tried + report.allocatedBytes().orElse(0), total());
    }

    /** By how much a tensor, told by shape and type, is larger than what TensorFlow's pool had left below its limit. */
    public OptionalLong shapeBeyondPool() {
        boolean known = report.framework() == Framework.TENSORFLOW
                && tried().isEmpty()
                && total().isPresent()
                && report.allocatedBytes().isPresent()
                && !report.isOfHost();
        if (!known) {
            return OptionalLong.empty();
        }
        long left = total().getAsLong() - report.allocatedBytes().getAsLong();
        long beyond = PrintedShape.of(report).orElse(0) - left;
        return left >= 0 && beyond > 0 ? OptionalLong.of(beyond) : OptionalLong.empty();
    }

    private static OptionalLong above(long need, OptionalLong bound) {
        return bound.isPresent() ? OptionalLong.of(need - bound.getAsLong()) : OptionalLong.empty();
    }

    /** Whether tensors hold nearly all of the device and the gap is small: closing it would help once at most. */
    public boolean isNearlyFull() {
        long allocated = report.allocatedBytes().orElse(0);
        return total().isPresent()
                && allocated >= total().getAsLong() / 100 * NEARLY_FULL
                && gap().orElse(0) <= Math.max(thresholds.gapBytes(), total().getAsLong() / TWENTIETH);
    }

    private static final int TWENTIETH = 20;
    private static final int NEARLY_FULL = 94;

    /** Whether tensors and what lies outside the pool hold nearly all of the device. */
    public boolean isTaken() {
        boolean known = total().isPresent()
                && report.allocatedBytes().isPresent()
                && defragmented().isPresent();
        return known && defragmented().getAsLong() <= total().getAsLong() / 100 * (100 - MOST_LIVE);
    }

    /** Whether a request missed the pieces of a gap so small that a little more work would have failed without it. */
    public boolean isHardlyFragmented() {
        return !claims(Claim.FRAGMENTED) && (isNearlyFull() || isGapSmall());
    }

    /** Whether one request of 4 GiB and more was refused on a card of Intel's whose pool leaves room for it. */
    public boolean isOverSingleLimit() {
        boolean room = total().isPresent()
                && free().isEmpty()
                && report.reservedBytes().isPresent()
                && tried().isPresent()
                && report.reservedBytes().getAsLong() + tried().getAsLong() <= total().getAsLong();
        return room && device() == DeviceKind.INTEL && tried().getAsLong() >= 4L << 30;
    }

    /** Whose device it is. */
    public DeviceKind device() {
        return DeviceKind.of(report, surroundings);
    }

    /** Whether it was printed on Windows: by its paths, or because only there drivers let a pool grow beyond the card. */
    public boolean onWindows() {
        return surroundings.show(Trait.WINDOWS)
                || report.text().contains(WINDOWS_ALLOCATOR)
                || device() == DeviceKind.NVIDIA && report.reservedBytes().orElse(0) > total().orElse(Long.MAX_VALUE);
    }

    /** PyTorch's allocator on the host says so only there; elsewhere it gives the system's error. */
    private static final String WINDOWS_ALLOCATOR = "DefaultCPUAllocator: not enough memory";

    /** Whether a server printed it: nothing about training helps. */
    public boolean serves() {
        boolean itself = report.framework() == Framework.VLLM
                || SERVERS.contains(report.library().orElse(""));
        boolean runsModels = report.framework().family() == Framework.Family.INFERENCE;
        if (buildsEngine()) {
            return false;
        }
        return itself || runsModels && !surroundings.show(Trait.TRAINS) || surroundings.serve();
    }

    /** Whether TensorRT was looking for the fastest kernels, before anything is served. */
    public boolean buildsEngine() {
        return report.library().filter("tensorrt"::equals).isPresent()
                && report.context().lines().stream()
                        .anyMatch(line -> BUILDING.stream().anyMatch(line::contains));
    }

    private static final List<String> BUILDING =
            List.of("actic", "buildSerializedNetwork", "ngine building", "GraphReduction", "trtllm-build");

    /** What runs models and trains none, wherever it was started: a trainer that samples with one is asked for its options too. */
    private static final Set<String> SERVERS = Set.of(
            "sglang",
            "tgi",
            "lmdeploy",
            "mlc-llm",
            "mindie",
            "exllamav2",
            "ollama",
            "llama.cpp",
            "tensorrt",
            "tensorrt-llm",
            "ctranslate2",
            "openvino");

    /** What lies outside the pool beyond the share that lies there anyway; never negative. */
    public OptionalLong othersBeyond() {
        if (outside().isEmpty()) {
            return OptionalLong.empty();
        }
        long least = hasDeviceToItself() ? 0 : outside().getAsLong() - thresholds.othersBytes();
        return OptionalLong.of(Math.max(0, least));
    }

    /** Whether what this process takes, which newer messages print, and what is free make up the whole device. */
    public boolean hasDeviceToItself() {
        OptionalLong own = report.amount(Quantity.PROCESS);
        return isListedUnderAnotherNumber()
                || own.isPresent()
                        && free().isPresent()
                        && total().isPresent()
                        && Math.abs(total().getAsLong() - free().getAsLong() - own.getAsLong()) <= ROUNDING_BYTES;
    }

    /** Whether the one process that is listed holds so much that it must be this one, under its number on the host. */
    public boolean isListedUnderAnotherNumber() {
        return report.amount(Quantity.PROCESS).isEmpty()
                && report.otherProcesses().size() == 1
                && total().isPresent()
                && report.reservedBytes().orElse(0) <= total().getAsLong()
                && report.otherProcesses().get(0).bytes().orElse(0)
                                + report.reservedBytes().orElse(0)
                        > total().getAsLong() + ROUNDING_BYTES;
    }

    /** Free + gap + what others hold too much. */
    public OptionalLong withoutOthers() {
        return defragmented().isPresent() && othersBeyond().isPresent()
                ? OptionalLong.of(
                        saturatedSum(defragmented().getAsLong(), othersBeyond().getAsLong()))
                : OptionalLong.empty();
    }

    /** HIGH when a request misses or meets a bound by more than the printing's precision: 64 MiB, and 2 % of it. */
    public Confidence margin(long bound) {
        long tried = tried().orElse(0);
        long distance = Math.abs(tried - bound);
        return distance >= CLEAR_BYTES && distance >= tried / 50 ? Confidence.HIGH : Confidence.MEDIUM;
    }

    private static final long CLEAR_BYTES = 64L << 20;

    /** Three figures of two decimals of a GiB each. */
    private static final long ROUNDING_BYTES = 3 * ((1L << 30) / 200);

    private static long saturatedSum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
