package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A change of settings asked of one device of a running process. Only what is present changes.
 *
 * @param device number of the device
 * @param optimisation on or off
 * @param fraction memory fraction, 0 &lt; f ≤ 1
 * @param force override the agent's guard against caps that would kill the next step
 * @param swap what may leave the device for the host
 * @param swapBudgetBytes the most that the host may hold, ≥ 0
 * @param shownSafeBytes with force: the lowest safe cap that whoever forces it was shown, and by how much that may rise as steps
 *     differ. Where it has become higher since, the agent refuses again
 * @param policy by whose rules lifetimes are kept apart, while they are
 */
public record Change(
        int device,
        Optional<Boolean> optimisation,
        OptionalDouble fraction,
        boolean force,
        Optional<SwapMode> swap,
        OptionalLong swapBudgetBytes,
        OptionalLong shownSafeBytes,
        Optional<PoolPolicy> policy) {
    /** A change that rests on no figure of the guard. */
    public Change(
            int device,
            Optional<Boolean> optimisation,
            OptionalDouble fraction,
            boolean force,
            Optional<SwapMode> swap,
            OptionalLong swapBudgetBytes) {
        this(device, optimisation, fraction, force, swap, swapBudgetBytes, OptionalLong.empty(), Optional.empty());
    }

    /** A change that leaves swapping as it is. */
    public Change(int device, Optional<Boolean> optimisation, OptionalDouble fraction, boolean force) {
        this(device, optimisation, fraction, force, Optional.empty(), OptionalLong.empty());
    }

    /** Turns the optimisation on or off on device 0. */
    public static Change optimisation(boolean on) {
        return new Change(0, Optional.of(on), OptionalDouble.empty(), false);
    }

    /** Sets the fraction on device 0. */
    public static Change fraction(double f) {
        return new Change(0, Optional.empty(), OptionalDouble.of(f), false);
    }

    /** Changes swapping alone. */
    public static Change swapping(int device, Optional<SwapMode> mode, OptionalLong budgetBytes) {
        return new Change(device, Optional.empty(), OptionalDouble.empty(), false, mode, budgetBytes);
    }

    /** Whether it asks for other rules, and nothing but that. */
    public boolean isOfRules() {
        boolean rules = optimisation.isPresent() || policy.isPresent();
        return rules && fraction.isEmpty() && swap.isEmpty() && swapBudgetBytes.isEmpty();
    }

    /** The same change of another device. */
    public Change on(int other) {
        return new Change(other, optimisation, fraction, force, swap, swapBudgetBytes, shownSafeBytes, policy);
    }

    /** The same change, and by whose rules. */
    public Change by(Optional<PoolPolicy> rules) {
        return new Change(device, optimisation, fraction, force, swap, swapBudgetBytes, shownSafeBytes, rules);
    }

    /** The same change, overriding the guard whatever its figures are now: for scripts. */
    public Change forced() {
        return forced(Optional.empty());
    }

    /** The same change, overriding the guard as long as its figures are no worse than these. */
    public Change forced(Optional<GuardFigures> shown) {
        return new Change(
                device,
                optimisation,
                fraction,
                true,
                swap,
                swapBudgetBytes,
                shown.map(GuardFigures::insistedBytes).orElse(OptionalLong.empty()),
                policy);
    }

    /** The same change, leaving it to the guard. */
    public Change unforced() {
        return new Change(device, optimisation, fraction, false, swap, swapBudgetBytes, OptionalLong.empty(), policy);
    }
}
