package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.SafeBasis;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the agent's guard went by when it refused with {@code would-fail}. Older agents tell the fraction alone.
 *
 * @param lowestSafeFraction the lowest fraction that it would accept; empty where there is none up to 1
 * @param lowestSafeBytes the same as a cap, exact
 * @param basis what that rests on, where it was told
 * @param steps how many whole steps it rests on, where it was told
 */
public record GuardFigures(
        OptionalDouble lowestSafeFraction,
        OptionalLong lowestSafeBytes,
        Optional<SafeBasis> basis,
        OptionalLong steps) {
    /** The same on a device of this size: a cap beyond it is no fraction of it, whatever was told. */
    public GuardFigures on(long totalBytes) {
        boolean beyond = totalBytes > 0 && lowestSafeBytes.orElse(0) > totalBytes;
        return beyond ? new GuardFigures(OptionalDouble.empty(), lowestSafeBytes, basis, steps) : this;
    }

    /** What an agent tells that knows the fraction alone. */
    public static GuardFigures ofFraction(double lowestSafe) {
        return new GuardFigures(
                OptionalDouble.of(lowestSafe), OptionalLong.empty(), Optional.empty(), OptionalLong.empty());
    }
}
