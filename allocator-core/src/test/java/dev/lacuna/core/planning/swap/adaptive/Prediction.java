package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a method's plan was predicted to take under a limit, and what a process took under it.
 *
 * @param limitBytes most that the process may reserve; the plan leaves its spare of that ({@link LimitSpare#ofProcess})
 * @param plan the prediction
 * @param measured the same policy under the same limit in a process, where somebody ran it
 */
public record Prediction(long limitBytes, AdaptivePlan plan, Optional<Measured> measured) {
    /** Name of a policy that no method chose, but somebody measured. */
    public static final String OTHER = "other";

    /**
     * A step of a process under a policy.
     *
     * @param policy what its layers did
     * @param limitBytes most that could be allocated at once
     * @param stepNs mean time of a step, nanoseconds; 0 where the process ran out of memory
     * @param peakBytes most bytes allocated at once; 0 where the process ran out of memory
     */
    public record Measured(LayerPolicy policy, long limitBytes, long stepNs, long peakBytes) {
        /** A policy under which a process ran out of memory. */
        public static Measured ranOut(LayerPolicy policy, long limitBytes) {
            return new Measured(policy, limitBytes, 0, 0);
        }

        /** Whether the process ran out of memory. */
        public boolean isOut() {
            return stepNs == 0;
        }
    }

    /** How much longer the measured step is than the predicted one, as a share of the latter; empty where none ended. */
    public Optional<Double> timeError() {
        return measured.filter(each -> !each.isOut()).map(each -> (double) each.stepNs / plan.stepNs() - 1);
    }

    /**
     * All methods under each limit, with what was measured beside them; then what was measured of other policies.
     */
    public static List<Prediction> of(LayerProfile profile, List<Long> limits, List<Measured> measured) {
        List<Prediction> all = new ArrayList<>();
        List<Measured> left = new ArrayList<>(measured);
        LimitSpare spare = LimitSpare.ofProcess(profile);
        for (long limit : limits) {
            for (AdaptiveMethod method : AdaptiveMethods.all()) {
                AdaptivePlan plan = method.plan(profile, spare.plannable(limit));
                Optional<Measured> found = measured.stream()
                        .filter(each -> each.limitBytes == limit && each.policy.equals(plan.policy()))
                        .findFirst();
                found.ifPresent(left::remove);
                all.add(new Prediction(limit, plan, found));
            }
        }
        LayerCosts costs = new LayerCosts(profile);
        StepSimulator simulator = new StepSimulator(costs);
        for (Measured each : left) {
            StepRun run = simulator.run(each.policy, spare.plannable(each.limitBytes));
            all.add(new Prediction(
                    each.limitBytes, AdaptivePlan.of(OTHER, costs, run, each.policy), Optional.of(each)));
        }
        return all;
    }
}
