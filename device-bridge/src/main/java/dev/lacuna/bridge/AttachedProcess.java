package dev.lacuna.bridge;

import java.time.Duration;
import java.util.Optional;

/** A training process that this program reads. Reading is passive: the process neither knows nor waits. */
public interface AttachedProcess extends AutoCloseable {
    /** Who it is. */
    TrainingProcess process();

    /** One sample now; events since the previous call on this object. */
    Sample sample() throws BridgeException;

    /**
     * Samples at this interval until closed, the process is gone (a last sample says so) or reading fails.
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

    /** The last out-of-memory message in its telemetry, if there was one. */
    Optional<String> lastOutOfMemory() throws BridgeException;

    @Override
    void close();
}
