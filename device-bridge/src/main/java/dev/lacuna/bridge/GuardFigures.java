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
 * @param spreadBytes how much of it allows for steps that differ from one another, where it was told
 */
public record GuardFigures(
        OptionalDouble lowestSafeFraction,
        OptionalLong lowestSafeBytes,
        Optional<SafeBasis> basis,
        OptionalLong steps,
        OptionalLong spreadBytes) {
    /** The allocator moves in whole segments and chunks: less than one of them is no other figure. */
    private static final long SAME_BYTES = 2L << 20;

    /** What agents tell that do not say how much steps differ. */
    public GuardFigures(
            OptionalDouble lowestSafeFraction,
            OptionalLong lowestSafeBytes,
            Optional<SafeBasis> basis,
            OptionalLong steps) {
        this(lowestSafeFraction, lowestSafeBytes, basis, steps, OptionalLong.empty());
    }

    /**
     * By how much a figure may rise and still be what somebody was shown: where steps differ it moves with each of them, within
     * what it allows for that, and whoever insists knew of it.
     */
    public static long sameBytes(long spreadBytes) {
        return Math.max(SAME_BYTES, spreadBytes);
    }

    /** The highest figure that whoever was shown this one still insists on. */
    public OptionalLong insistedBytes() {
        return lowestSafeBytes.isPresent()
                ? OptionalLong.of(lowestSafeBytes.getAsLong() + spreadBytes.orElse(0))
                : lowestSafeBytes;
    }

    /** The same on a device of this size: a cap beyond it is no fraction of it, whatever was told. */
    public GuardFigures on(long totalBytes) {
        boolean beyond = totalBytes > 0 && lowestSafeBytes.orElse(0) > totalBytes;
        return beyond ? new GuardFigures(OptionalDouble.empty(), lowestSafeBytes, basis, steps, spreadBytes) : this;
    }

    /** What an agent tells that knows the fraction alone. */
    public static GuardFigures ofFraction(double lowestSafe) {
        return new GuardFigures(
                OptionalDouble.of(lowestSafe), OptionalLong.empty(), Optional.empty(), OptionalLong.empty());
    }
}
