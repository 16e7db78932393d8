package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a stage holds of layers that it computes again, when that is most. Backward goes from the last layer of a model chunk to the first:
 * when layers are rebuilt, the ones behind them in their chunk have given back what they kept of this micro-batch. What is left of it is
 * what the rebuilt ones and those before them kept, and all of the rebuilt ones.
 */
public final class RebuiltLayers {
    private final Configuration configuration;
    private final ActivationTerms activations;

    public RebuiltLayers(Configuration configuration, ActivationTerms activations) {
        this.configuration = configuration;
        this.activations = activations;
    }

    /** Beyond what all layers keep after the forward pass; below 0 where the layers behind gave back more than is rebuilt. */
    public Term of(List<List<Integer>> chunks) {
        Term most = Term.sum("rebuilt", Unit.BYTES, Source.KORTHIKANTI, List.of());
        for (List<Integer> chunk : chunks) {
            double behind = 0;
            List<Term> together = new ArrayList<>();
            double keptTogether = 0;
            for (int i = chunk.size() - 1; i >= 0; i--) {
                int layer = chunk.get(i);
                together.add(0, again(layer));
                keptTogether += kept(layer);
                if (!configuration.treatments().get(layer).joined()) {
                    Term rebuilt = rebuilt(together, behind);
                    most = rebuilt.value() > most.value() ? rebuilt : most;
                    behind += keptTogether;
                    keptTogether = 0;
                    together = new ArrayList<>();
                }
            }
        }
        return most;
    }

    private Term again(int layer) {
        LayerTreatment treatment = configuration.treatments().get(layer);
        List<Term> again = new ArrayList<>();
        activations.layer(configuration.model().expertLayers().get(layer)).forEach((part, term) -> {
            if (!treatment.keeps(part)) {
                again.add(term);
            }
        });
        activations.fetchedInput(treatment).ifPresent(again::add);
        return Term.sum("layer.rebuilt", Unit.BYTES, Source.KORTHIKANTI, again);
    }

    private double kept(int layer) {
        return activations
                .kept(
                        configuration.model().expertLayers().get(layer),
                        configuration.treatments().get(layer))
                .device()
                .stream()
                .mapToDouble(Term::value)
                .sum();
    }

    /** A sum, unless something is taken off it. */
    private static Term rebuilt(List<Term> layers, double behind) {
        Term whole = layers.size() == 1
                ? Term.sum(
                        "rebuilt", Unit.BYTES, Source.KORTHIKANTI, layers.get(0).parts())
                : Term.sum("rebuilt", Unit.BYTES, Source.KORTHIKANTI, counted(layers));
        if (behind == 0) {
            return whole;
        }
        Term freed = Term.given("freed.behind", Unit.BYTES, behind, Source.MEGATRON);
        Expression left = Expression.of("rebuilt", whole.value()).minus(Expression.of("given back", behind));
        return new Term("rebuilt", Unit.BYTES, left, Source.MEGATRON, List.of(whole.named("layer.rebuilt"), freed));
    }

    /** Layers that are alike are one term with their count. */
    private static List<Term> counted(List<Term> layers) {
        return layers.stream()
                .distinct()
                .map(layer -> {
                    Expression all = Expression.of("layers", Collections.frequency(layers, layer))
                            .times(Expression.of("layer", layer.value()));
                    Term one = layer.named("layer.one");
                    return new Term(layer.key(), layer.unit(), all, layer.source(), List.of(one));
                })
                .toList();
    }
}
