package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.core.history.mirror.BlockMirror;
import dev.lacuna.core.history.mirror.LiveBlocks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Looks at the blocks of a process for a while, as the window does: its agent tells whoever watches what was there before, and events tell
 * what happens.
 */
final class BlockWatch implements SampleListener {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final BlockMirror mirror;
    private final Predicate<LiveBlocks> enough;
    private final CountDownLatch over = new CountDownLatch(1);
    private Optional<Sample> last = Optional.empty();
    private Optional<BridgeException> fault = Optional.empty();

    private BlockWatch(int device, Predicate<LiveBlocks> enough) {
        mirror = new BlockMirror(device);
        this.enough = enough;
    }

    /** What was seen of a device. */
    record Seen(LiveBlocks blocks, Sample sample) {}

    /** Looks so long, or until the process ends. */
    static Seen look(AttachedProcess process, int device, Duration time) throws BridgeException, InterruptedException {
        return look(process, device, time, map -> false);
    }

    /** Looks until what is seen is enough, but no longer than so long, or until the process ends. */
    static Seen look(AttachedProcess process, int device, Duration time, Predicate<LiveBlocks> enough)
            throws BridgeException, InterruptedException {
        BlockWatch watch = new BlockWatch(device, enough);
        AutoCloseable subscription = process.subscribe(INTERVAL, watch);
        try {
            watch.over.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            close(subscription);
        }
        return watch.seen(process);
    }

    private synchronized Seen seen(AttachedProcess process) throws BridgeException {
        if (fault.isPresent()) {
            throw fault.get();
        }
        Sample sample = last.isPresent() ? last.get() : process.sample();
        return new Seen(mirror.picture(), sample);
    }

    private static void close(AutoCloseable subscription) {
        try {
            subscription.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized void onSample(Sample sample) {
        if (sample.state() == ProcessState.GONE) {
            over.countDown();
            return;
        }
        mirror.add(sample.monotonicNs(), sample.lostEvents(), sample.events(), sample.devices());
        last = Optional.of(sample);
        if (enough.test(mirror.picture())) {
            over.countDown();
        }
    }

    @Override
    public synchronized void onFailure(BridgeException why) {
        fault = Optional.of(why);
        over.countDown();
    }
}
