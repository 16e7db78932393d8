package dev.lacuna.core.planning.swap.mindspeed;

/**
 * What a step under a policy showed.
 *
 * @param rescuedBytes bytes that the out-of-memory rescue moved during the step
 * @param retries how often the allocator had to retry during the step
 */
public record StepOutcome(long rescuedBytes, int retries) {
    private static final long MIB = 1L << 20;

    /** A step that needed neither. */
    public static final StepOutcome FINE = new StepOutcome(0, 0);

    /** How a step counts. */
    enum Verdict {
        FINE,
        UNSTABLE,
        OUT_OF_MEMORY
    }

    /** Rescues below one MiB count as none. */
    boolean rescued() {
        return rescuedBytes / MIB > 0;
    }

    Verdict verdict() {
        if (rescued() || retries > 1) {
            return Verdict.OUT_OF_MEMORY;
        }
        return retries == 1 ? Verdict.UNSTABLE : Verdict.FINE;
    }
}
