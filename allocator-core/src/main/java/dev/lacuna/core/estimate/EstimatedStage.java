package dev.lacuna.core.estimate;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.formula.ActivationTerms;
import dev.lacuna.core.estimate.formula.ParameterTerms;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.model.ActivationPart;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One rank of a pipeline stage, layer by layer, with nothing recomputed or swapped: what planners start from. What the
 * configuration itself recomputes is left aside.
 *
 * @param stage from 0
 * @param layers its layers, of all its model chunks
 * @param loss the output matrix with the loss, on the last stage
 * @param inputBytes input of its first layer
 * @param inFlight micro-batches whose activations it keeps at once
 * @param fixedBytes states, gathered weights and overhead
 */
public record EstimatedStage(
        int stage, List<Layer> layers, Optional<Layer> loss, long inputBytes, double inFlight, long fixedBytes) {
    /**
     * One layer and one micro-batch.
     *
     * @param index of the layer in the model; −1 for the loss
     * @param outputBytes bytes of its output
     * @param savedBytes what its backward pass needs beside its input: intermediate tensors and the output
     * @param forwardFlops floating-point operations of its forward pass; a backward pass takes twice as many
     */
    public record Layer(int index, long outputBytes, long savedBytes, double forwardFlops) {}

    public EstimatedStage {
        layers = List.copyOf(layers);
    }

    /**
     * Every stage of a configuration.
     *
     * @throws RefusedException when the layout does not fit the model
     */
    public static List<EstimatedStage> of(Configuration configuration) throws RefusedException {
        Estimate estimate = new Estimator(configuration).estimate();
        List<EstimatedStage> stages = new ArrayList<>();
        for (StageMemory memory : estimate.stages()) {
            stages.add(of(configuration, memory));
        }
        return List.copyOf(stages);
    }

    private static EstimatedStage of(Configuration configuration, StageMemory memory) {
        ActivationTerms activations = new ActivationTerms(configuration);
        long output =
                bytes(activations.layer(false).get(ActivationPart.LAYER_INPUT).value());
        List<Layer> layers = memory.layers().stream()
                .map(index -> layer(configuration, activations, index, output))
                .toList();
        boolean last = memory.stage() == configuration.layout().pipeline() - 1;
        double fixed = memory.memory().parts().stream()
                .filter(term -> List.of("states", "gathered", "overhead").contains(term.key()))
                .mapToDouble(Term::value)
                .sum();
        return new EstimatedStage(
                memory.stage(),
                layers,
                last ? Optional.of(loss(configuration, activations)) : Optional.empty(),
                output,
                Math.max(1, memory.inFlight()),
                bytes(fixed));
    }

    private static Layer layer(Configuration configuration, ActivationTerms activations, int index, long output) {
        boolean experts = configuration.model().expertLayers().get(index);
        double kept = activations.layer(experts).values().stream()
                .mapToDouble(Term::value)
                .sum();
        // What a layer keeps counts its input; what its backward pass needs beside it counts the output, as large.
        return new Layer(index, output, Math.max(output, bytes(kept)), flops(configuration, activations, index));
    }

    private static double flops(Configuration configuration, ActivationTerms activations, int index) {
        TransformerModel model = configuration.model();
        Layout layout = configuration.layout();
        List<Integer> one = List.of(index);
        double dense = ParameterTerms.perRank(configuration)
                .dense(one, false, false, false)
                .value();
        double routed = model.experts()
                .map(experts -> ParameterTerms.whole(model).experts(one).value()
                        * experts.perToken()
                        / experts.count()
                        / layout.expertTensor())
                .orElse(0.0);
        TransformerModel.Attention attention = model.attention();
        double scores = 2.0
                * configuration.training().sequence()
                * (attention.queryWidth() + attention.outputWidth())
                / layout.tensor();
        return activations.tokens().value() * (2 * (dense + routed) + scores);
    }

    private static Layer loss(Configuration configuration, ActivationTerms activations) {
        TransformerModel model = configuration.model();
        double logits = activations.tokens().value()
                * model.vocabulary()
                / configuration.layout().tensor();
        double norm = 2
                * configuration.training().elementBytes()
                * activations
                        .outside(activations.tokens().times(Expression.of("h", model.hidden())))
                        .value();
        return new Layer(
                -1, 0, bytes(configuration.training().lossBytes() * logits + norm), 2 * logits * model.hidden());
    }

    private static long bytes(double value) {
        return (long) Math.ceil(value);
    }
}
