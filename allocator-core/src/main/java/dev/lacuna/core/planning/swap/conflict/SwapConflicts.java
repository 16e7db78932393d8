package dev.lacuna.core.planning.swap.conflict;

import static dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity.EXCLUDES;
import static dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity.REFUSED;
import static dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity.TOGETHER;
import static dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity.VOID;
import static dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity.WASTED;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds memory settings that exclude each other, or what Lacuna is about to do. MindSpeed's own refusals are those of its
 * release 2.0 ({@code mindspeed/arguments.py}), word for word.
 */
public final class SwapConflicts {
    private static final String ADAPTIVE = "adaptive memory optimization is not compatible with ";
    private static final String SELECTIVE = "adaptive selective recompute is not compatible with ";

    /** Two features of the trainer that meet. */
    private record Pair(String id, Severity severity, TrainerFeature one, TrainerFeature other, String quote) {}

    /** A feature of the trainer that meets one of Lacuna's. */
    private record Meeting(String id, Severity severity, LacunaFeature ours, TrainerFeature theirs) {}

    private static final List<Pair> PAIRS = List.of(
            adaptive("adaptive-memory+ampipe", TrainerFeature.AMPIPE, "ampipe"),
            adaptive("adaptive-memory+adaptive-recompute", TrainerFeature.ADAPTIVE_RECOMPUTE, "adaptive recomputing"),
            adaptive(
                    "adaptive-memory+recompute", TrainerFeature.RECOMPUTE, "recompute_granularity or recompute_method"),
            adaptive(
                    "adaptive-memory+activation-function",
                    TrainerFeature.ACTIVATION_FUNCTION,
                    "recompute_activation_function"),
            adaptive("adaptive-memory+swap-attention", TrainerFeature.SWAP_ATTENTION, "swap_attention feature"),
            adaptive("adaptive-memory+bubble", TrainerFeature.RECOMPUTE_IN_BUBBLE, "recompute_in_bubble"),
            adaptive("adaptive-memory+fragmentation", TrainerFeature.MEMORY_FRAGMENTATION, "memory_fragmentation"),
            new Pair("adaptive-memory+smart-swap", VOID, TrainerFeature.ADAPTIVE_MEMORY, TrainerFeature.SMART_SWAP, ""),
            selective(
                    "adaptive-recompute+recompute",
                    TrainerFeature.RECOMPUTE,
                    SELECTIVE + "recompute_granularity and recompute_method. "),
            selective(
                    "adaptive-recompute+activation-function",
                    TrainerFeature.ACTIVATION_FUNCTION,
                    SELECTIVE + "activation function recomputation "),
            selective(
                    "adaptive-recompute+swap-attention",
                    TrainerFeature.SWAP_ATTENTION,
                    SELECTIVE + "swap_attention feature"),
            selective("adaptive-recompute+ripipe", TrainerFeature.RIPIPE, SELECTIVE + "ripipe schedule"),
            selective(
                    "adaptive-recompute+fragmentation",
                    TrainerFeature.MEMORY_FRAGMENTATION,
                    SELECTIVE + "memory fragmentation"),
            new Pair(
                    "smart-swap+adaptive-recompute",
                    REFUSED,
                    TrainerFeature.SMART_SWAP,
                    TrainerFeature.ADAPTIVE_RECOMPUTE,
                    "smart swap is not compatible with adaptive selective recompute"),
            new Pair(
                    "smart-swap+fragmentation",
                    REFUSED,
                    TrainerFeature.SMART_SWAP,
                    TrainerFeature.MEMORY_FRAGMENTATION,
                    "smart swap is not compatible with memory fragmentation"),
            refused(
                    "uniform+activation-function",
                    TrainerFeature.UNIFORM_RECOMPUTE,
                    TrainerFeature.ACTIVATION_FUNCTION,
                    "uniform recomputation is not compatible with activation function recomputation "),
            refused(
                    "uniform+norm",
                    TrainerFeature.UNIFORM_RECOMPUTE,
                    TrainerFeature.NORM,
                    "uniform recomputation is not compatible with norm recomputation "),
            refused(
                    "selective+activation-function",
                    TrainerFeature.SELECTIVE_RECOMPUTE,
                    TrainerFeature.ACTIVATION_FUNCTION,
                    "--recompute-activation-function is not compatible with selective recomputation"),
            refused(
                    "selective+norm",
                    TrainerFeature.SELECTIVE_RECOMPUTE,
                    TrainerFeature.NORM,
                    "--recompute-norm is not compatible with selective recomputation"),
            refused(
                    "norm+legacy",
                    TrainerFeature.NORM,
                    TrainerFeature.LEGACY_MODELS,
                    "--recompute-norm is only supported with mcore models"),
            refused(
                    "in-advance+uniform",
                    TrainerFeature.RECOMPUTE_IN_ADVANCE,
                    TrainerFeature.UNIFORM_RECOMPUTE,
                    "recompute_in_advance does not support uniform recompute_method"),
            refused(
                    "in-bubble+layers",
                    TrainerFeature.RECOMPUTE_IN_BUBBLE,
                    TrainerFeature.RECOMPUTE_LAYERS,
                    "recompute_num_layers must be None or 0 when using recompute_in_bubble"),
            refused(
                    "swap-attention+lora",
                    TrainerFeature.SWAP_ATTENTION,
                    TrainerFeature.LORA,
                    "swap attention is not compatible with LoRA"),
            refused(
                    "fragmentation+fused-rotary",
                    TrainerFeature.MEMORY_FRAGMENTATION,
                    TrainerFeature.FUSED_ROTARY,
                    "memory fragmentation is not compatible with use_fused_rotary_pos_emb"),
            new Pair(
                    "device-swap+mcore",
                    REFUSED,
                    TrainerFeature.DEVICE_SWAP,
                    TrainerFeature.MCORE_MODELS,
                    "--adaptive-recompute-device-swap is not available with mcore models"));

    private static final List<Meeting> MEETINGS = List.of(
            new Meeting("pools+fragmentation", EXCLUDES, LacunaFeature.POOLS, TrainerFeature.MEMORY_FRAGMENTATION),
            new Meeting("pools+adaptive-memory", EXCLUDES, LacunaFeature.POOLS, TrainerFeature.ADAPTIVE_MEMORY),
            new Meeting("pools+adaptive-recompute", EXCLUDES, LacunaFeature.POOLS, TrainerFeature.ADAPTIVE_RECOMPUTE),
            new Meeting("pools+smart-swap", EXCLUDES, LacunaFeature.POOLS, TrainerFeature.SMART_SWAP),
            new Meeting("swap+adaptive-memory", EXCLUDES, LacunaFeature.SWAP, TrainerFeature.ADAPTIVE_MEMORY),
            new Meeting("swap+swap-attention", EXCLUDES, LacunaFeature.SWAP, TrainerFeature.SWAP_ATTENTION),
            new Meeting("swap+smart-swap", EXCLUDES, LacunaFeature.SWAP, TrainerFeature.SMART_SWAP),
            new Meeting("swap+device-swap", EXCLUDES, LacunaFeature.SWAP, TrainerFeature.DEVICE_SWAP),
            new Meeting("swap+full-recompute", WASTED, LacunaFeature.SWAP, TrainerFeature.FULL_RECOMPUTE),
            new Meeting("policy+full-recompute", WASTED, LacunaFeature.LAYER_POLICY, TrainerFeature.FULL_RECOMPUTE));

    private SwapConflicts() {}

    private static Pair adaptive(String id, TrainerFeature other, String named) {
        return new Pair(id, REFUSED, TrainerFeature.ADAPTIVE_MEMORY, other, ADAPTIVE + named);
    }

    private static Pair refused(String id, TrainerFeature one, TrainerFeature other, String quote) {
        return new Pair(id, REFUSED, one, other, quote);
    }

    private static Pair selective(String id, TrainerFeature other, String quote) {
        return new Pair(id, REFUSED, TrainerFeature.ADAPTIVE_RECOMPUTE, other, quote);
    }

    /**
     * Conflicts of a Megatron-LM or MindSpeed command line, the worst first.
     *
     * @param ours what Lacuna is to do in that process; empty to look at the trainer alone
     */
    public static List<SwapConflict> of(Arguments arguments, Set<LacunaFeature> ours) {
        List<SwapConflict> found = new ArrayList<>();
        for (Pair each : PAIRS) {
            List<String> one = each.one.found(arguments);
            List<String> other = each.other.found(arguments);
            if (!one.isEmpty() && !other.isEmpty()) {
                found.add(new SwapConflict(each.id, each.severity, joined(one, other), each.quote));
            }
        }
        for (Meeting each : MEETINGS) {
            List<String> theirs = each.theirs.found(arguments);
            if (ours.contains(each.ours) && !theirs.isEmpty()) {
                found.add(new SwapConflict(each.id, each.severity, theirs, ""));
            }
        }
        found.addAll(together(ours));
        return sorted(found);
    }

    /**
     * Conflicts of a MindFormers configuration, the worst first.
     *
     * @param environment environment variables of the run
     */
    public static List<SwapConflict> of(
            ConfigDocument mindformers, Map<String, String> environment, Set<LacunaFeature> ours) {
        List<SwapConflict> found = new ArrayList<>();
        if (new Mindformers(environment).analyse(mindformers) instanceof MindformersResult.Valid valid) {
            boolean full = valid.grid().stream().anyMatch(LayerState::fullRecompute);
            boolean layerSwap = valid.grid().stream()
                    .anyMatch(row -> row.fullRecompute() && row.layerSwap().isPresent());
            if (valid.swapOn() && layerSwap) {
                found.add(new SwapConflict(
                        "mindformers-swap+recompute", VOID, List.of("swap_config", "recompute_config"), ""));
            }
            boolean moves = ours.contains(LacunaFeature.SWAP) || ours.contains(LacunaFeature.LAYER_POLICY);
            if (moves && valid.swapOn()) {
                found.add(new SwapConflict("swap+mindformers-swap", EXCLUDES, List.of("swap_config.swap"), ""));
            }
            if (moves && full) {
                found.add(new SwapConflict(
                        "policy+mindformers-recompute", WASTED, List.of("recompute_config.recompute"), ""));
            }
        }
        found.addAll(together(ours));
        return sorted(found);
    }

    /** MindSpeed refuses its pools together with its adaptive memory; ours are made for each other. */
    private static List<SwapConflict> together(Set<LacunaFeature> ours) {
        boolean moves = ours.contains(LacunaFeature.SWAP) || ours.contains(LacunaFeature.LAYER_POLICY);
        return moves && ours.contains(LacunaFeature.POOLS)
                ? List.of(new SwapConflict("pools+swap", TOGETHER, List.of(), ADAPTIVE + "memory_fragmentation"))
                : List.of();
    }

    /** Everything that Lacuna can do at once. */
    public static Set<LacunaFeature> everything() {
        return EnumSet.allOf(LacunaFeature.class);
    }

    /** Ids of all conflicts that there are texts for. */
    static List<String> ids() {
        List<String> ids = new ArrayList<>();
        PAIRS.forEach(each -> ids.add(each.id));
        MEETINGS.forEach(each -> ids.add(each.id));
        ids.addAll(List.of(
                "mindformers-swap+recompute", "swap+mindformers-swap", "policy+mindformers-recompute", "pools+swap"));
        return ids;
    }

    private static List<SwapConflict> sorted(List<SwapConflict> found) {
        return found.stream()
                .sorted(Comparator.comparing(SwapConflict::severity))
                .toList();
    }

    private static List<String> joined(List<String> one, List<String> other) {
        List<String> all = new ArrayList<>(one);
        other.stream().filter(each -> !all.contains(each)).forEach(all::add);
        return all;
    }
}
