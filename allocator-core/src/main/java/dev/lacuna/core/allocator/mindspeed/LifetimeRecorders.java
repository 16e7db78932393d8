package dev.lacuna.core.allocator.mindspeed;

import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.base.counters.Phase;

/**
 * MindSpeed's decision whether a tensor will live long, as its releases from 1.0.RC1 to 2.0.0 take it. A deterministic
 * function of the calls made; every mark of a phase counts, nested or unmatched ones too, as in the original.
 */
public final class LifetimeRecorders {
    private final SurvivalRecorder forward = new SurvivalRecorder();
    private final SurvivalRecorder step = new SurvivalRecorder();
    private boolean exact;
    private long forwardStarts;

    /** A phase begins or ends. */
    public void phase(Phase phase, boolean begin) {
        switch (phase) {
            case SETUP -> exact = begin;
            case FORWARD -> forward(begin);
            case STEP -> step(begin);
        }
    }

    /** Whether a forward pass is being recorded. */
    public boolean inForward() {
        return forward.recording();
    }

    /**
     * Decides for a request, once, before a place is looked for. SHORT is what MindSpeed calls the default.
     *
     * @param bytes bytes asked for
     * @param rounded size of the block that they need
     */
    public Lifetime decide(long bytes, long rounded) {
        if (exact) {
            return Lifetime.LONG;
        }
        // Both recorders are asked, whatever the first says: each counts its look-ups.
        boolean survivesForward = forward.recording() && survivesForward(bytes);
        boolean survivesStep = step.recording() && step.expectsSurvival(rounded);
        return survivesForward || survivesStep ? Lifetime.LONG : Lifetime.SHORT;
    }

    /** A block was handed out for this request. */
    public void born(int block, long bytes, long rounded) {
        forward.born(block, bytes);
        step.born(block, rounded);
    }

    /** The trainer gave this block back. */
    public void freed(int block) {
        forward.freed(block);
        step.freed(block);
    }

    /** As long as no forward pass is known, everything in one is kept. */
    private boolean survivesForward(long bytes) {
        return !forward.knowsALastRun() || forward.expectsSurvival(bytes);
    }

    private void forward(boolean begin) {
        if (!begin) {
            forward.end();
        } else if (!exact && forwardStarts++ > 0) {
            forward.begin();
        } else {
            // The first start is the one inside model set-up, and starts under exact matching do not count at all.
            forward.restart();
        }
    }

    private void step(boolean begin) {
        if (begin) {
            step.begin();
        } else {
            step.end();
        }
    }
}
