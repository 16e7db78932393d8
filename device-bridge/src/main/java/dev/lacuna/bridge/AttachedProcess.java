package dev.lacuna.bridge;

import java.time.Duration;
import java.util.Optional;

/** A training process that this program reads. Reading is passive: the process neither knows nor waits. */
public interface AttachedProcess extends AutoCloseable {
    /** Who it is. */
    TrainingProcess process();

    /**
     * One sample now, with the events since the previous call of this method. The first call brings what history the ring
     * still holds.
     *
     * @throws BridgeException UNREADABLE when the telemetry is damaged, GONE after {@link #close}
     */
    Sample sample() throws BridgeException;

    /**
     * Samples at this interval until closed, the process is gone (a last sample says so) or reading fails. Each
     * subscription reads events by itself; its first sample comes at once and brings what history the ring still holds.
     * A sample that is being delivered while the subscription is closed still arrives.
     *
     * @param interval ≥ 10 ms
     */
    AutoCloseable subscribe(Duration interval, SampleListener listener);

    /**
     * Sends a change and waits for the agent's answer. This is the act of control: never call it without the operator's word.
     *
     * @throws BridgeException TIMED_OUT after 2 s, GONE, NOT_PERMITTED
     */
    Reply apply(Change change) throws BridgeException;

    /** Its swapping and layers; empty where they cannot be asked for. */
    default Optional<SwapControl> swapping() {
        return Optional.empty();
    }

    /** Moving what outlives steps to the side that serves; empty where there is no agent to ask. */
    default Optional<CompactionControl> compaction() {
        return Optional.empty();
    }

    /** What can be asked of it beyond that; empty unless it was not prepared and is attached. */
    default Optional<StockControl> stock() {
        return Optional.empty();
    }

    /**
     * Has it give a device's unused memory back, between two requests for memory; costs it a synchronisation of the device. An act of
     * control, as {@link #apply} is. One that was not prepared does it between two steps.
     *
     * @param force at once, where one that was not prepared has shown no step yet
     * @throws BridgeException TIMED_OUT after 6 s, GONE, NOT_PERMITTED
     */
    default Answer<CacheEmptied> emptyCache(int device, boolean force) throws BridgeException {
        return new Answer.Refused<>("cannot", "nobody answers for it");
    }

    /**
     * What it does by name, and the memory of a device that it takes for it; asking changes nothing.
     *
     * @throws BridgeException TIMED_OUT after 6 s, GONE, NOT_PERMITTED
     */
    default Answer<NamedPhases> phases(int device) throws BridgeException {
        return new Answer.Refused<>("cannot", "nobody answers for it");
    }

    /**
     * Whether its agent came while it ran, and can be taken out again.
     *
     * @throws BridgeException TIMED_OUT after 6 s, GONE, NOT_PERMITTED
     */
    default boolean canBeLeft() throws BridgeException {
        return false;
    }

    /**
     * Has its agent go: nothing new is served by it, what outlives steps is moved back at the end of the next one, and at the end of
     * the step at which nothing of it is in use any more all is taken out. An act of control, as {@link #apply} is.
     *
     * @return bytes that are still in use
     * @throws BridgeException TIMED_OUT after 6 s, GONE, NOT_PERMITTED
     */
    default Answer<Long> leave() throws BridgeException {
        return new Answer.Refused<>("cannot", "nobody answers for it");
    }

    /** The last out-of-memory message in its telemetry, if there was one. */
    Optional<String> lastOutOfMemory() throws BridgeException;

    /** How it ended, as far as it told and the kernel tells; asked of one that lives, nothing is known yet. */
    default Ending ending() throws BridgeException {
        return new Ending.Unknown();
    }

    @Override
    void close();
}
