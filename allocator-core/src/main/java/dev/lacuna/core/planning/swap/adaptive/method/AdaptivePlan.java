package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;

/**
 * A policy and what a step under it takes, as simulated.
 *
 * @param method name of the method that chose it
 * @param policy what each layer does
 * @param stepNs time of a step, nanoseconds
 * @param peakBytes most bytes allocated at once
 * @param hiddenCopyNs time on the link while the device computed
 * @param exposedCopyNs time that the device waited for the link
 * @param proven whether no policy within the limit is faster
 * @param fits whether the peak is within the limit
 * @param boundNs no policy within the limit makes a faster step; the time without recomputation and waiting where
 *     nothing better is known
 */
public record AdaptivePlan(
        String method,
        LayerPolicy policy,
        long stepNs,
        long peakBytes,
        long hiddenCopyNs,
        long exposedCopyNs,
        boolean proven,
        boolean fits,
        long boundNs) {
    /** How much slower than the bound the step is, as a share of the bound: 0 when proven. */
    public double gap() {
        return boundNs > 0 ? Math.max(0, (double) stepNs / boundNs - 1) : 0;
    }

    /** A plan of a method that proves nothing; its policy asks of each layer only what that layer can do. */
    public static AdaptivePlan of(String method, LayerCosts costs, StepRun run, LayerPolicy policy) {
        return new AdaptivePlan(
                method,
                new LayerPolicy(costs.effective(policy)),
                run.stepNs(),
                run.peakBytes(),
                run.hiddenCopyNs(),
                run.exposedCopyNs(),
                false,
                run.fits(),
                run.unhinderedNs());
    }
}
