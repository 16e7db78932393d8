package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Keeps samples in the order they came; a test waits for those it needs, however slow the machine is. */
final class Recorder implements SampleListener {
    private static final long PATIENCE_S = 60;

    private final BlockingQueue<Sample> samples = new LinkedBlockingQueue<>();
    private final BlockingQueue<BridgeException> faults = new LinkedBlockingQueue<>();

    @Override
    public void onSample(Sample sample) {
        samples.add(sample);
    }

    @Override
    public void onFailure(BridgeException fault) {
        faults.add(fault);
    }

    /** The next samples up to and with the first that fits. */
    List<Sample> until(Predicate<Sample> fits) throws InterruptedException {
        List<Sample> seen = new ArrayList<>();
        while (true) {
            Sample sample = samples.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (sample == null) {
                throw new AssertionError("no such sample came; the last was "
                        + (seen.isEmpty() ? "none" : seen.get(seen.size() - 1)) + ", faults: " + faults);
            }
            seen.add(sample);
            if (fits.test(sample)) {
                return seen;
            }
        }
    }

    /** The next samples up to and with the first of this state. */
    List<Sample> until(ProcessState state) throws InterruptedException {
        return until(sample -> sample.state() == state);
    }

    BridgeException fault() throws InterruptedException {
        BridgeException fault = faults.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (fault == null) {
            throw new AssertionError("no fault came");
        }
        return fault;
    }

    List<Sample> left() {
        return List.copyOf(samples);
    }

    List<BridgeException> faults() {
        return List.copyOf(faults);
    }
}
