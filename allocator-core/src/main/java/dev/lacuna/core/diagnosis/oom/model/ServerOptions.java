package dev.lacuna.core.diagnosis.oom.model;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a server was started with, as far as its log prints it: advice must not repeat it, nor go the other way.
 *
 * @param share of the device that weights and cache may take
 * @param length the most tokens of one request
 * @param parallel devices that share the weights
 * @param chunk tokens that are prefilled at once
 * @param sequences requests that run together at most
 * @param least share of the device that all but the cache was measured to take
 * @param failedAt share at which the log tells that the device itself ran out
 * @param floor share below which a message says that weights alone do not fit
 * @param cacheShare of what is free that a cache may take
 * @param visible devices that a variable lists for the process
 */
public record ServerOptions(
        OptionalDouble share,
        OptionalInt length,
        OptionalInt parallel,
        OptionalInt chunk,
        OptionalInt sequences,
        OptionalDouble least,
        OptionalDouble failedAt,
        OptionalDouble floor,
        OptionalDouble cacheShare,
        OptionalInt visible) {
    /** Nothing is printed. */
    public static final ServerOptions UNKNOWN = new ServerOptions(
            OptionalDouble.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalInt.empty());
}
