package dev.lacuna.core.estimate.model;

/** A group of a layer's activations that is kept, computed again or swapped out as one. */
public enum ActivationPart {
    /** Input of the layer, which its first norm keeps. */
    LAYER_INPUT("layer.input"),
    /** Output of the first norm, the input of the query, key and value projections. */
    ATTENTION_INPUT("attention.input"),
    /** Queries, keys and values. */
    QUERY_KEY_VALUE("query.key.value"),
    /** Scores, probabilities and dropout of attention that is not tiled. */
    ATTENTION_CORE("attention.core"),
    /** Output of attention, the input of its last projection. */
    ATTENTION_OUTPUT("attention.output"),
    /** Dropout mask and the residual sum, which the second norm keeps. */
    RESIDUAL("residual"),
    /** Output of the second norm, and the mask of the last dropout. */
    FEED_FORWARD_INPUT("feed.forward.input"),
    /** Outputs of the first linear layers, before the activation function. */
    FEED_FORWARD_UP("feed.forward.up"),
    /** Output of the activation function, the input of the last linear layer. */
    FEED_FORWARD_ACTIVATION("feed.forward.activation"),
    /** Every second matrix product of a layer, where the others are computed again. */
    EVERY_SECOND_PRODUCT("every.second.product"),
    /** Tokens on their way to experts and back. */
    EXPERT_DISPATCH("expert.dispatch");

    private final String key;

    ActivationPart(String key) {
        this.key = key;
    }

    /** The key of its term. */
    public String key() {
        return key;
    }
}
