package dev.lacuna.core.planning.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How much faster than recomputing every layer the fastest mix is expected to be, where nobody knows what the devices really
 * sustain: the range over what trainings are known to sustain of a card's peak, and its copies of its bus.
 *
 * @param least share of time saved against full recomputation at worst, 0.1 for a tenth more steps in the same time
 * @param most the same at best
 */
public record PredictedGain(double least, double most) {
    /** Of the bus's rate, in copies while the device computes and others use the host's memory. */
    private static final double SLOW_LINK = 0.5;

    private static final List<Double> SUSTAINED = List.of(DeviceCard.LOW, DeviceCard.SUSTAINED, DeviceCard.HIGH);

    /**
     * The range for one stage under a budget.
     *
     * @return empty where one of the two does not fit
     */
    public static Optional<PredictedGain> of(ConfiguredModel model, int stage, long budgetBytes, DeviceCard card) {
        PlanningMethod mix = PlanningMethods.of("lacuna").orElseThrow();
        PlanningMethod full = PlanningMethods.of("full").orElseThrow();
        double bus = card.linkBytesPerSecond() / DeviceCard.LINK_SHARE;
        List<Double> gains = new ArrayList<>();
        for (double sustained : SUSTAINED) {
            for (double share : List.of(SLOW_LINK, DeviceCard.LINK_SHARE, 1.0)) {
                PlanningProfile profile = model.at(sustained * card.peakFlops(), Math.round(share * bus))
                        .profile(stage);
                if (mix.plan(profile, budgetBytes, PlanningEffort.QUICK) instanceof PlanPoint.Planned mixed
                        && full.plan(profile, budgetBytes, PlanningEffort.QUICK) instanceof PlanPoint.Planned again) {
                    gains.add(again.overhead() / mixed.overhead() - 1);
                }
            }
        }
        return gains.isEmpty()
                ? Optional.empty()
                : Optional.of(new PredictedGain(
                        gains.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                        gains.stream().mapToDouble(Double::doubleValue).max().orElseThrow()));
    }
}
