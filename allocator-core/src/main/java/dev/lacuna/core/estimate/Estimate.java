package dev.lacuna.core.estimate;

import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.term.Term;
import java.util.Comparator;
import java.util.List;

/**
 * What a configuration needs.
 *
 * @param parameters of the whole model
 * @param activeParameters that serve one token
 * @param flops of one step of the whole job, forward and backward, with recomputation
 * @param survey the survey's closed formulas, to compare with
 * @param stages one rank of each pipeline stage
 */
public record Estimate(
        Configuration configuration,
        Term parameters,
        Term activeParameters,
        Term flops,
        Term survey,
        List<StageMemory> stages) {
    public Estimate {
        stages = List.copyOf(stages);
    }

    /** The numbers of the whole model and job. */
    public List<Term> ofModel() {
        return List.of(parameters, activeParameters, flops, survey);
    }

    /** The stage that needs most: the run fits when this one does. */
    public StageMemory binding() {
        return stages.stream()
                .max(Comparator.comparingDouble(stage -> stage.memory().value()))
                .orElseThrow();
    }
}
