package dev.lacuna.ui.places.live;

import java.util.Map;
import java.util.Optional;

/**
 * What steps with the optimisation off and on tell of one another.
 *
 * @param off steps with it off; as many as with it on, where there are any. Empty until one was measured
 * @param on steps with it on, likewise
 * @param verdict whether the two can be compared
 * @param changes how much each figure changed; empty unless they can be compared
 */
public record Comparison(
        Optional<StepFigures> off,
        Optional<StepFigures> on,
        BeforeAfter.Verdict verdict,
        Map<StepMeasure, StepChange> changes) {
    /** Nothing was measured. */
    static final Comparison NONE =
            new Comparison(Optional.empty(), Optional.empty(), BeforeAfter.Verdict.TOO_FEW, Map.of());

    public Comparison {
        changes = Map.copyOf(changes);
    }

    /** How much this changed. */
    public Optional<StepChange> change(StepMeasure measure) {
        return Optional.ofNullable(changes.get(measure));
    }
}
