package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.WholeStep;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A figure of whole steps in which two settings are compared: less is better. */
public enum StepMeasure {
    /** The most that was reserved in any of them. */
    PEAK("peak", steps -> figures(steps).gap().peakReservedBytes(), 0.02),
    /** Their gap. */
    GAP("gap", steps -> figures(steps).gap().bytes(), 0.02),
    /** Their median duration, which depends on whatever else the machine does. */
    TIME("time", steps -> figures(steps).stepNs(), 0.10);

    private final String key;
    private final ToDoubleFunction<List<WholeStep>> figure;
    private final double noise;

    StepMeasure(String key, ToDoubleFunction<List<WholeStep>> figure, double noise) {
        this.key = key;
        this.figure = figure;
        this.noise = noise;
    }

    /** The word for it in keys. */
    public String key() {
        return key;
    }

    /** The figure of these steps, at least one. */
    double of(List<WholeStep> steps) {
        return figure.applyAsDouble(steps);
    }

    /** A change up to this share says nothing. */
    public double noise() {
        return noise;
    }

    private static StepFigures figures(List<WholeStep> steps) {
        return StepFigures.of(steps);
    }
}
