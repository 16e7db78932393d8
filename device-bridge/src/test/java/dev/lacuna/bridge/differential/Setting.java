package dev.lacuna.bridge.differential;

/**
 * The device that both homes start on.
 *
 * @param capacityBytes total
 * @param otherBytes held by other processes
 * @param rangeBytes virtual addresses per pool, a multiple of 2 MiB
 * @param optimisation whether the segregated pools are in force at the start
 */
record Setting(long capacityBytes, long otherBytes, long rangeBytes, boolean optimisation) {}
