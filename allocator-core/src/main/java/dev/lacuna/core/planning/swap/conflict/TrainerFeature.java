package dev.lacuna.core.planning.swap.conflict;

import dev.lacuna.core.estimate.input.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Memory features of Megatron-LM and MindSpeed, by the arguments that turn them on. */
enum TrainerFeature {
    ADAPTIVE_MEMORY("adaptive-memory-optimization"),
    MEMORY_FRAGMENTATION("memory-fragmentation"),
    SMART_SWAP("smart-swap"),
    SWAP_ATTENTION("swap-attention"),
    /** On with a size above 0, or with the device swap. */
    ADAPTIVE_RECOMPUTE("adaptive-recompute-device-size", "adaptive-recompute-device-swap"),
    DEVICE_SWAP("adaptive-recompute-device-swap"),
    RECOMPUTE("recompute-granularity", "recompute-method"),
    /** Every layer, or all of a stage's first ones: only inputs are kept. */
    FULL_RECOMPUTE("recompute-granularity") {
        @Override
        boolean on(String name, String value) {
            return value.equalsIgnoreCase("full");
        }
    },
    ACTIVATION_FUNCTION("recompute-activation-function"),
    NORM("recompute-norm"),
    SELECTIVE_RECOMPUTE("recompute-granularity") {
        @Override
        boolean on(String name, String value) {
            return value.equalsIgnoreCase("selective");
        }
    },
    UNIFORM_RECOMPUTE("recompute-method") {
        @Override
        boolean on(String name, String value) {
            return value.equalsIgnoreCase("uniform");
        }
    },
    RECOMPUTE_LAYERS("recompute-num-layers"),
    LEGACY_MODELS("use-legacy-models"),
    LORA("lora-target-modules"),
    FUSED_ROTARY("use-fused-rotary-pos-emb"),
    RECOMPUTE_IN_BUBBLE("recompute-in-bubble"),
    RECOMPUTE_IN_ADVANCE("recompute-in-advance"),
    RIPIPE("recompute-in-bubble", "recompute-in-advance"),
    AMPIPE("ampipe-degree") {
        @Override
        boolean on(String name, String value) {
            return !value.equals("1") && super.on(name, value);
        }
    },
    MCORE_MODELS("use-mcore-models");

    private final List<String> names;

    TrainerFeature(String... names) {
        this.names = List.of(names);
    }

    /** The arguments that turn it on, with their dashes; empty when it is off. */
    List<String> found(Arguments arguments) {
        List<String> found = new ArrayList<>();
        for (String name : names) {
            Optional.ofNullable(arguments.values().get(name))
                    .filter(value -> on(name, value.strip()))
                    .ifPresent(value -> found.add("--" + name));
        }
        return found;
    }

    boolean on(String name, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "", "false", "none", "null", "0" -> false;
            // A size that was never given is -1.
            default -> !value.startsWith("-");
        };
    }
}
