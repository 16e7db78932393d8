package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reads samples at a fixed rate on the calling thread; a slow consumer only lowers its own rate, never the trainer's. */
final class SampleStream {
    private final AttachedProcess process;
    private final Duration interval;

    SampleStream(AttachedProcess process, Duration interval) {
        this.process = process;
        this.interval = interval;
    }

    /**
     * Hands over at most {@code count} samples (all when count is 0), until the process ends.
     *
     * @return number of samples handed over
     */
    long run(long count, Consumer<Sample> consumer) throws BridgeException, InterruptedException {
        long next = System.nanoTime();
        for (long n = 0; count == 0 || n < count; n++) {
            Sample sample = process.sample();
            if (sample.state() == ProcessState.GONE) {
                return n;
            }
            consumer.accept(sample);
            if (count != 0 && n + 1 == count) {
                return n + 1;
            }
            long now = System.nanoTime();
            next = Math.max(next + interval.toNanos(), now);
            TimeUnit.NANOSECONDS.sleep(next - now);
        }
        return count;
    }
}
