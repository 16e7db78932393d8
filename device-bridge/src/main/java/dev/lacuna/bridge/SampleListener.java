package dev.lacuna.bridge;

/** Receives samples on a thread of the bridge; it must not block for long, a slow one only delays itself. */
public interface SampleListener {
    /** A new sample. After one with state GONE no more follow. */
    void onSample(Sample sample);

    /** Reading ended because of a fault; no more samples follow. */
    void onFailure(BridgeException fault);
}
