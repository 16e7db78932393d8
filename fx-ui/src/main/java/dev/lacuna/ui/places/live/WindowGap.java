package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.base.counters.StepWindow;
import java.util.Optional;

/**
 * The gap that the banner, the legend and the cards speak of.
 *
 * @param gap peaks and their difference
 * @param steps the whole steps that it is of; empty where the trainer marks none: then of the last moments, as sampled
 */
public record WindowGap(PeakGap gap, Optional<StepWindow> steps) {}
