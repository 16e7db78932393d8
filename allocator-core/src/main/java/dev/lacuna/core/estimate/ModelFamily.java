package dev.lacuna.core.estimate;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
record ModelFamily(
        boolean tied,
        boolean gated,
        boolean rms,
        boolean linearBias,
        boolean inputBias,
        boolean headNorms,
        boolean sharedGate,
        boolean routerBias,
        boolean learnedPositions) {
    /** Marks after a family's names: t tied, b biases on queries, keys and values, n norms on them, g gate of shared experts, r router's bias. */
    private static final Map<String, ModelFamily> LLAMA_LIKE = Arrays.stream(
                    "llama mistral mixtral qwen2:b qwen2_moe:bg qwen3:n qwen3_moe:n deepseek_v2:n deepseek_v3:nr kimi_k2:nr gemma:t"
                            .split(" "))
            .map(line -> line.split(":", -1))
            .collect(Collectors.toUnmodifiableMap(
                    parts -> parts[0], parts -> llamaLike(parts.length > 1 ? parts[1] : "")));

    private static final ModelFamily GPT2 = new ModelFamily(true, false, false, true, true, false, false, false, true);

    /** The family; empty where it is not known here. */
    static Optional<ModelFamily> of(String modelType) {
        return modelType.equals("gpt2") ? Optional.of(GPT2) : Optional.ofNullable(LLAMA_LIKE.get(modelType));
    }

    /** A family that is not known, from what the file shows. Tied is the base class's default. */
    static ModelFamily guessed(boolean gated, boolean rms, boolean gpt) {
        return gpt ? GPT2 : new ModelFamily(true, gated, rms, false, false, false, false, false, false);
    }

    private static ModelFamily llamaLike(String marks) {
        return new ModelFamily(
                marks.contains("t"),
                true,
                true,
                false,
                marks.contains("b"),
                marks.contains("n"),
                marks.contains("g"),
                marks.contains("r"),
                false);
    }
}
