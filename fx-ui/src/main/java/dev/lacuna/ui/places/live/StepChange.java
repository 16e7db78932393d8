package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.WholeStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * How much a figure changed, and how sure that is. The interval is the percentile bootstrap: both sides' steps are drawn again and again with
 * replacement, and nineteen out of twenty changes lie within. It tells what the steps leave open, not what other steps would have been.
 *
 * @param share (after − before) ÷ before
 * @param low lower end of the 95 % interval
 * @param high upper end of it
 */
public record StepChange(double share, double low, double high) {
    private static final int DRAWS = 400;
    private static final double TAIL = 0.025;

    /** The same steps give the same interval. */
    private static final long SEED = 17;

    /** The change; empty where there is nothing to be a share of. */
    static Optional<StepChange> of(StepMeasure measure, List<WholeStep> before, List<WholeStep> after) {
        double was = measure.of(before);
        if (was <= 0) {
            return Optional.empty();
        }
        Random random = new Random(SEED);
        double[] shares = new double[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            double drawn = measure.of(drawn(before, random));
            shares[i] = drawn <= 0 ? Double.NaN : measure.of(drawn(after, random)) / drawn - 1;
        }
        double[] known =
                Arrays.stream(shares).filter(s -> !Double.isNaN(s)).sorted().toArray();
        if (known.length == 0) {
            return Optional.empty();
        }
        int tail = (int) (TAIL * known.length);
        return Optional.of(new StepChange(measure.of(after) / was - 1, known[tail], known[known.length - 1 - tail]));
    }

    /** Whether it is more than noise, whichever way: the whole interval lies on one side. */
    public boolean isSure(double noise) {
        return Math.abs(share) > noise && (low > 0 || high < 0);
    }

    private static List<WholeStep> drawn(List<WholeStep> from, Random random) {
        List<WholeStep> drawn = new ArrayList<>(from.size());
        for (int i = 0; i < from.size(); i++) {
            drawn.add(from.get(random.nextInt(from.size())));
        }
        return drawn;
    }
}
