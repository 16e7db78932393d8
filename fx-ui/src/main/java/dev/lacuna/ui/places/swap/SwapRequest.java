package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.ui.guard.GuardRefusal;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What is asked of the agent.
 *
 * @param undoable what it adds to the past; empty when it takes the newest of it back
 * @param overriding the guard's figures that are overridden, where they are
 */
record SwapRequest(SwapChange change, Optional<Undoable> undoable, Optional<GuardRefusal> overriding) {
    /** What was done, and what brings back what held before. */
    record Undoable(SwapChange done, SwapChange inverse) {}

    boolean undoing() {
        return undoable.isEmpty();
    }

    SwapRequest overriding(Optional<GuardRefusal> refusal) {
        return new SwapRequest(change, undoable, refusal);
    }

    /** A part of it in the bridge's words. */
    Change of(Change part) {
        return overriding.map(refusal -> part.forced(refusal.figures())).orElse(part);
    }

    /** What a change asks of the settings; orders to the layers ask for the mode that they need. */
    static Change asked(int device, SwapChange change) {
        if (change instanceof SwapChange.Mode mode) {
            return Change.swapping(device, Optional.of(mode.mode()), OptionalLong.empty());
        }
        if (change instanceof SwapChange.Budget budget) {
            return Change.swapping(device, Optional.empty(), OptionalLong.of(budget.bytes()));
        }
        if (change instanceof SwapChange.Fraction fraction) {
            return new Change(device, Optional.empty(), OptionalDouble.of(fraction.fraction()), false);
        }
        return Change.swapping(device, ((SwapChange.Layers) change).needed(), OptionalLong.empty());
    }

    /** Off the UI thread; gives what holds then. */
    Answer<SwapChange> apply(SwapControl swapping, int device) throws BridgeException {
        if (change instanceof SwapChange.Layers layers) {
            return reported(swapping, device, layers);
        }
        boolean ofMode = change instanceof SwapChange.Mode;
        return holds(
                swapping.set(of(asked(device, change))),
                now -> ofMode ? new SwapChange.Mode(now.mode()) : new SwapChange.Budget(now.budgetBytes()));
    }

    /** What swaps is told after swapping is on, and taken back before it is off. */
    private Answer<SwapChange> reported(SwapControl swapping, int device, SwapChange.Layers layers)
            throws BridgeException {
        boolean turnsOff = layers.needed().equals(Optional.of(SwapMode.OFF));
        if (layers.needed().isPresent() && !turnsOff) {
            Answer<SwapSetting> on = swapping.set(of(asked(device, change)));
            if (on instanceof Answer.Refused<SwapSetting> refused) {
                return refused(refused);
            }
        }
        Answer<LayerOrders> before = swapping.tell(device, layers.orders());
        if (before instanceof Answer.Given<LayerOrders> given && turnsOff) {
            Answer<SwapSetting> off = swapping.set(of(asked(device, change)));
            if (off instanceof Answer.Refused<SwapSetting> refused) {
                // All of it or nothing: what was in force before is told again.
                swapping.tell(device, given.value());
                return refused(refused);
            }
        }
        // Refused, orders change nothing: swapping that was turned on for them alone is off again.
        if (before instanceof Answer.Refused<LayerOrders> && layers.needed().isPresent() && !turnsOff) {
            swapping.set(device, Optional.of(SwapMode.OFF), OptionalLong.empty());
        }
        return holds(before, was -> change);
    }

    private static <T> Answer<SwapChange> holds(Answer<T> answer, Function<T, SwapChange> meaning) {
        return answer instanceof Answer.Given<T> given
                ? new Answer.Given<>(meaning.apply(given.value()))
                : refused((Answer.Refused<T>) answer);
    }

    private static Answer<SwapChange> refused(Answer.Refused<?> refused) {
        return new Answer.Refused<>(refused.code(), refused.text(), refused.guard());
    }
}
