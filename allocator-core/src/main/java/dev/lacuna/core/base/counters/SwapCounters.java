package dev.lacuna.core.base.counters;

/**
 * What swapping between a device and its host counts, from the agent's telemetry. Sums begin with the process; bytes are
 * exact.
 *
 * @param mode what may leave
 * @param hostBudgetBytes the most that the host may hold; 0 until the process's Python side has set itself up
 * @param hostUsedBytes what the host holds now
 * @param swappingOutBytes on the way to the host now
 * @param swappingInBytes on the way back now
 * @param swappedOutBytes sum of what has arrived on the host
 * @param swappedInBytes sum of what has come back
 * @param copyNs time on the link, both directions added up
 * @param stallNs what somebody waited for it: the part of the copying that was not hidden
 * @param rescues requests that were served because tensors left for them
 * @param rescuedBytes what left for them
 * @param copyFailures copies that failed and fell back
 * @param hostRefusals tensors that stayed because the budget was used up
 */
public record SwapCounters(
        SwapMode mode,
        long hostBudgetBytes,
        long hostUsedBytes,
        long swappingOutBytes,
        long swappingInBytes,
        long swappedOutBytes,
        long swappedInBytes,
        long copyNs,
        long stallNs,
        long rescues,
        long rescuedBytes,
        long copyFailures,
        long hostRefusals) {

    /** Where nothing was ever swapped. */
    public static final SwapCounters NONE = new SwapCounters(SwapMode.OFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
