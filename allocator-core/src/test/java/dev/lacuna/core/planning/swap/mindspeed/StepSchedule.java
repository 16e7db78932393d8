package dev.lacuna.core.planning.swap.mindspeed;

/**
 * What each training step is used for before a policy is in force: first steps are skipped, then the layer's modules are
 * measured, the first layer's forward pass alone, and what swapping costs at each depth below the layer.
 *
 * @param microBatches micro-batches of a step, at least 1
 * @param depths levels of modules from the layer down, at least 1
 * @param release whose number of swap steps
 */
public record StepSchedule(int microBatches, int depths, Release release) {
    private static final int SKIPPED = 3;
    private static final int LAYER_STEPS = 5;
    private static final int LEAST_RECOMPUTE_STEPS = 5;
    /** Forward passes that a measurement takes at least. */
    private static final int MEASURED_PASSES = 4;

    /** Versions that differ. */
    public enum Release {
        /** 2.0: each depth is measured in several steps, twice. */
        TWO,
        /** The later main line: one step a depth. */
        MAIN
    }

    /** What a step is for. */
    public enum Phase {
        SKIP,
        /** Times of every module; only the last of these steps measures memory, and no time. */
        RECOMPUTE_TIME,
        RECOMPUTE_MEMORY,
        /** Forward time of the first layer. */
        LAYER,
        /** What swapping costs, one depth after the other. */
        SWAP,
        /** Lossless swap, then rounds of the budget search. */
        SEARCH
    }

    public StepSchedule {
        if (microBatches < 1 || depths < 1) {
            throw new IllegalArgumentException("micro-batches and depths start at 1");
        }
    }

    /** Steps that measure modules. */
    public int recomputeSteps() {
        return Math.max(LEAST_RECOMPUTE_STEPS, passes());
    }

    /** Steps that measure swapping. */
    public int swapSteps() {
        return switch (release) {
            case TWO -> passes() * depths * 2;
            case MAIN -> depths;
        };
    }

    private int passes() {
        return (MEASURED_PASSES + microBatches - 1) / microBatches;
    }

    /** What a step is for; steps count from 1. */
    public Phase phase(int step) {
        if (step < 1) {
            throw new IllegalArgumentException("steps count from 1");
        }
        int measured = step - SKIPPED;
        if (measured <= 0) {
            return Phase.SKIP;
        }
        if (measured <= recomputeSteps()) {
            return measured == recomputeSteps() ? Phase.RECOMPUTE_MEMORY : Phase.RECOMPUTE_TIME;
        }
        int after = measured - recomputeSteps() - LAYER_STEPS;
        if (after <= 0) {
            return Phase.LAYER;
        }
        return after <= swapSteps() ? Phase.SWAP : Phase.SEARCH;
    }

    /** The framework's own line about it. */
    public String announcement() {
        return "init profiling steps, recompute:" + recomputeSteps() + ", swap:" + swapSteps();
    }
}
