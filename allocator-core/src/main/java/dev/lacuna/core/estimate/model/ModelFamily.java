package dev.lacuna.core.estimate.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What Hugging Face's configuration and model classes decide where {@code config.json} is silent, by {@code model_type}.
 *
 * @param tied default of {@code tie_word_embeddings} in the family's configuration class; the base class has true
 * @param gated whether the feed-forward part has two matrices up
 * @param rms whether norms are one vector (RMSNorm) rather than two
 * @param linearBias whether all linear layers have a bias
 * @param inputBias whether queries, keys and values have one
 * @param headNorms whether queries and keys are normalised
 * @param sharedGate whether a gate weighs the shared experts
 * @param routerBias whether the router has a bias for each expert
 * @param learnedPositions whether positions are learned
 */
public record ModelFamily(
        boolean tied,
        boolean gated,
        boolean rms,
        boolean linearBias,
        boolean inputBias,
        boolean headNorms,
        boolean sharedGate,
        boolean routerBias,
        boolean learnedPositions) {
    /** Marks after a family's names, for what the record's components say. */
    private static final Map<String, ModelFamily> KNOWN = families();

    /** The family; empty where it is not known here. */
    public static Optional<ModelFamily> of(String modelType) {
        return Optional.ofNullable(KNOWN.get(modelType));
    }

    /** A family that is not known, from what the file shows. Tied is the base class's default. */
    public static ModelFamily guessed(boolean gated, boolean rms, boolean gpt) {
        return gpt ? marked("tlbp") : new ModelFamily(true, gated, rms, false, false, false, false, false, false);
    }

    /**
     * Marks: t tied, s gated (SwiGLU), m RMSNorm, l biases on all linear layers, b on queries, keys and values, n norms on queries and keys, g
     * gate of shared experts, r router's bias, p learned positions.
     */
    private static Map<String, ModelFamily> families() {
        Map<String, ModelFamily> families = new HashMap<>();
        for (String line :
                ("llama:sm mistral:sm mixtral:sm qwen2:smb qwen2_moe:smbg qwen3:smn qwen3_moe:smn deepseek_v2:smn deepseek_v3:smnr"
                                + " kimi_k2:smnr gemma:smt gpt2:tlbp gpt_bigcode:tlbp gpt_neo:tlp gpt_neox:lb opt:tlbp bloom:tlb falcon:t mpt:tm"
                                + " chatglm:smb")
                        .split(" ")) {
            String[] parts = line.split(":", -1);
            families.put(parts[0], marked(parts[1]));
        }
        return Map.copyOf(families);
    }

    private static ModelFamily marked(String marks) {
        Boolean[] on = Arrays.stream("tsmlbngrp".split("")).map(marks::contains).toArray(Boolean[]::new);
        return new ModelFamily(on[0], on[1], on[2], on[3], on[4], on[5], on[6], on[7], on[8]);
    }
}
