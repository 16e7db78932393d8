package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Samples one attachment for one listener until it is closed, the process is gone or reading fails. */
final class Subscription implements AutoCloseable {
    /** Reads one sample. */
    interface Source {
        Sample read() throws BridgeException;
    }

    private final Source source;
    private final SampleListener listener;
    private final CompletableFuture<Future<?>> ticking = new CompletableFuture<>();
    private volatile boolean closed;

    Subscription(Source source, SampleListener listener) {
        this.source = source;
        this.listener = listener;
    }

    /** Starts; the first sample comes at once. */
    void start(Sampler sampler, Duration interval) {
        ticking.complete(sampler.every(interval, this::deliver));
    }

    @Override
    public void close() {
        closed = true;
        ticking.thenAccept(future -> future.cancel(false));
    }

    private void deliver() {
        if (closed) {
            return;
        }
        try {
            Sample sample = source.read();
            if (sample.state() == ProcessState.GONE) {
                close();
            }
            listener.onSample(sample);
        } catch (BridgeException e) {
            // Closing the attachment makes reading fail: that is the end that was asked for, no fault.
            if (!closed) {
                close();
                listener.onFailure(e);
            }
        } catch (RuntimeException e) {
            close();
            listener.onFailure(new BridgeException(Reason.SYSTEM, "the receiver of samples failed: " + e, e));
        }
    }
}
