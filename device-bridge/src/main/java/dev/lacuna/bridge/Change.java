package dev.lacuna.bridge;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A change of settings asked of one device of a running process. Only what is present changes.
 *
 * @param device index of the device
 * @param optimisation on or off
 * @param fraction memory fraction, 0 &lt; f ≤ 1
 * @param force override the agent's guard against caps that would kill the next step
 */
public record Change(int device, Optional<Boolean> optimisation, OptionalDouble fraction, boolean force) {
    /** Turns the optimisation on or off on device 0. */
    public static Change optimisation(boolean on) {
        return new Change(0, Optional.of(on), OptionalDouble.empty(), false);
    }

    /** Sets the fraction on device 0. */
    public static Change fraction(double f) {
        return new Change(0, Optional.empty(), OptionalDouble.of(f), false);
    }

    /** The same change, overriding the guard. */
    public Change forced() {
        return new Change(device, optimisation, fraction, true);
    }
}
