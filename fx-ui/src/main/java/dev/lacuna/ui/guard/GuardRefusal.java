package dev.lacuna.ui.guard;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The guard's refusal of a change. Once what it stands on has changed it can be forced no more, even if that comes back.
 *
 * @param figures what the guard told
 * @param footing what that stands on
 * @param expired why it holds no more
 */
public record GuardRefusal(Optional<GuardFigures> figures, Footing footing, Optional<Expiry> expired) {
    /** A refusal that came just now. */
    public static GuardRefusal of(Change asked, Optional<GuardFigures> figures, MemoryCounters now) {
        return new GuardRefusal(
                figures.map(reported -> reported.on(now.totalBytes())),
                Footing.of(asked, figures, now),
                Optional.empty());
    }

    /** A fraction rounded up to hundredths, so that the figure shown is itself safe. */
    public static double roundedUp(double fraction) {
        return Math.min(1, Math.ceil(fraction * 100 - 1e-9) / 100);
    }

    /** The lowest fraction that the guard would accept, rounded up to hundredths; empty where none is told. */
    public OptionalDouble lowestSafe() {
        OptionalDouble reported = figures.map(GuardFigures::lowestSafeFraction).orElse(OptionalDouble.empty());
        return reported.isPresent() ? OptionalDouble.of(roundedUp(reported.getAsDouble())) : reported;
    }

    /** Whether its figures still hold. */
    public boolean holds() {
        return expired.isEmpty();
    }

    /** The same after these counters were seen. */
    public GuardRefusal seen(MemoryCounters now) {
        return footing.lostTo(now)
                .map(this::ended)
                .orElseGet(() -> new GuardRefusal(figures, footing.seen(now), expired));
    }

    /** The same, holding no more for this reason; the first reason stays. */
    public GuardRefusal ended(Expiry why) {
        return holds() ? new GuardRefusal(figures, footing, Optional.of(why)) : this;
    }
}
