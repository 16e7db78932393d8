package dev.lacuna.core.estimate.model;

import java.util.List;
import java.util.Optional;

/**
 * The shape of a transformer, dense or a mixture of experts.
 *
 * @param hidden width of the residual stream
 * @param expertLayers for each layer whether its feed-forward part is a mixture of experts; its size is the number of layers
 * @param vocabulary tokens, padded as it will be
 * @param positions learned positions; 0 with rotary ones
 * @param tied one matrix for embedding and output
 * @param biases whether linear layers have a bias
 * @param normVectors vectors of hidden width per normalisation: 1 (RMSNorm) or 2 (LayerNorm)
 * @param particulars what few families do differently
 */
public record TransformerModel(
        int hidden,
        Attention attention,
        FeedForward feedForward,
        Optional<Experts> experts,
        List<Boolean> expertLayers,
        int vocabulary,
        int positions,
        boolean tied,
        boolean biases,
        int normVectors,
        Particulars particulars) {
    /**
     * What few families do differently.
     *
     * @param layerNorms normalisations in a layer: 2, or 1 where attention and feed-forward part share it
     * @param endNorms normalisations outside the layers: 1 after the last, 0 without it, 2 with one after the embedding
     * @param embeddingWidth of the embedding; where it is not the hidden width, a matrix leads there and one back
     * @param plainInput whether queries, keys and values have no bias although other linear layers have
     */
    public record Particulars(int layerNorms, int endNorms, int embeddingWidth, boolean plainInput) {}

    /**
     * Attention heads.
     *
     * @param groups heads of key and value: as many as heads without grouping
     * @param latent low-rank keys and values, instead of groups
     * @param inputBias whether queries, keys and values have a bias, even where other linear layers have none
     * @param norms whether queries and keys are normalised: per head, or as what low rank there is
     */
    public record Attention(
            int heads, int groups, int headSize, Optional<Latent> latent, boolean inputBias, boolean norms) {
        /** Width of all query heads. */
        public double queryWidth() {
            return latent.map(l -> (double) heads * (l.plainSize() + l.rotarySize()))
                    .orElse((double) heads * headSize);
        }

        /** Width of all value heads, which is that of the attention's output. */
        public double outputWidth() {
            return latent.map(l -> (double) heads * l.valueSize()).orElse((double) heads * headSize);
        }
    }

    /**
     * Multi-head latent attention.
     *
     * @param queryRank 0 when queries are projected directly
     */
    public record Latent(int queryRank, int keyValueRank, int plainSize, int rotarySize, int valueSize) {}

    /** @param gated two matrices up (SwiGLU and its like) instead of one */
    public record FeedForward(int width, boolean gated) {
        /** Matrices of this size: 3 when gated, else 2. */
        public int matrices() {
            return gated ? 3 : 2;
        }
    }

    /**
     * Routed experts.
     *
     * @param perToken experts that serve a token
     * @param sharedWidth width of the experts that serve every token; 0 without
     * @param sharedGate whether a gate of hidden width weighs the shared ones
     * @param biases one bias per expert in the router, to balance load
     */
    public record Experts(int count, int perToken, int width, int sharedWidth, boolean sharedGate, boolean biases) {}

    public TransformerModel {
        expertLayers = List.copyOf(expertLayers);
    }

    /** Number of layers. */
    public int layers() {
        return expertLayers.size();
    }
}
