package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.SwapMode;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Swapping and layers of an attached process. Each call asks its agent and waits, never on a thread that draws. All throw
 * {@link BridgeException} TIMED_OUT, GONE, NOT_PERMITTED, UNREADABLE or SYSTEM. An older agent refuses with {@code
 * unknown-verb}.
 */
public interface SwapControl {
    /** What holds. */
    Answer<SwapFacts> facts(int device) throws BridgeException;

    /** What of each layer is where, and what is in force. */
    Answer<LayerPlaces> layers(int device) throws BridgeException;

    /**
     * The profile. Where there is none yet, the agent begins to measure with the next forward.
     *
     * @param fresh measure anew; the last profile is still told until then
     */
    Answer<ProfileReading> profile(int device, boolean fresh) throws BridgeException;

    /** Sets what is present: an act of control. */
    default Answer<SwapSetting> set(int device, Optional<SwapMode> mode, OptionalLong budgetBytes)
            throws BridgeException {
        return set(Change.swapping(device, mode, budgetBytes));
    }

    /** Makes a change that is at least about swapping: an act of control. */
    Answer<SwapSetting> set(Change change) throws BridgeException;

    /**
     * Tells layers what to do from the next forward on: an act of control. All of it is told or nothing. A rule that the agent does
     * not have it refuses with {@code bad-request}.
     *
     * @return what was in force before
     */
    Answer<LayerOrders> tell(int device, LayerOrders orders) throws BridgeException;
}
