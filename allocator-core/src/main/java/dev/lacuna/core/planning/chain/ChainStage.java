package dev.lacuna.core.planning.chain;

/**
 * One stage of a chain, a layer say.
 *
 * @param name how the model calls it
 * @param forwardMs time of its forward pass, milliseconds
 * @param backwardMs time of its backward pass, milliseconds
 * @param outputBytes bytes of its output, and of the gradient of it
 * @param savedBytes bytes that its backward pass needs beside its input: intermediate tensors and the output
 * @param forwardExtraBytes working memory of the forward pass beside input and output
 * @param backwardExtraBytes working memory of the backward pass beside what is saved and both gradients
 */
public record ChainStage(
        String name,
        double forwardMs,
        double backwardMs,
        long outputBytes,
        long savedBytes,
        long forwardExtraBytes,
        long backwardExtraBytes) {
    public ChainStage {
        if (!(forwardMs >= 0) || !(backwardMs >= 0) || Double.isInfinite(forwardMs) || Double.isInfinite(backwardMs)) {
            throw new IllegalArgumentException(name + ": times must be finite and not negative");
        }
        if (outputBytes < 0 || forwardExtraBytes < 0 || backwardExtraBytes < 0) {
            throw new IllegalArgumentException(name + ": sizes must not be negative");
        }
        if (savedBytes < outputBytes) {
            throw new IllegalArgumentException(name + ": what is saved includes the output, so it cannot be smaller");
        }
    }
}
