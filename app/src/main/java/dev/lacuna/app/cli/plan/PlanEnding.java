package dev.lacuna.app.cli.plan;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ctrl-C while a plan is made: the search ends, what is being written is written whole or not begun, and the program goes
 * with the status of the signal.
 */
final class PlanEnding implements AutoCloseable {
    /** A reader who stopped reading must not keep the program alive. */
    private static final long PATIENCE_MS = 2_000;

    private final ReentrantLock writing = new ReentrantLock();
    private final Runnable before;
    private final Thread hook = new Thread(this::end, "lacuna-end-of-plan");
    private volatile boolean reported;

    /** @param before what is tidied up at once */
    PlanEnding(Runnable before) {
        this.before = before;
    }

    PlanEnding begin() {
        Runtime.getRuntime().addShutdownHook(hook);
        return this;
    }

    /** Whether somebody wants it to end. */
    boolean reported() {
        return reported;
    }

    /** Keeps the program from ending in the middle of what follows; does not come back where it is ending. */
    void write() {
        if (!writing.isHeldByCurrentThread()) {
            writing.lock();
        }
        if (reported) {
            writing.unlock();
            await();
        }
    }

    /** Does not come back where the program is ending: what was found until then is nobody's. */
    void await() {
        while (reported) {
            LockSupport.park();
        }
    }

    private void end() {
        reported = true;
        before.run();
        try {
            // What is being written is waited for; nothing is begun any more.
            if (!writing.tryLock(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                System.getLogger(PlanEnding.class.getName()).log(System.Logger.Level.DEBUG, "ended while writing");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What had to be written is written. */
    @Override
    public void close() {
        if (writing.isHeldByCurrentThread()) {
            writing.unlock();
        }
        if (!reported) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The program ends already; the hook has nothing left to wait for.
                System.getLogger(PlanEnding.class.getName()).log(System.Logger.Level.DEBUG, "ending already", e);
            }
        }
    }
}
