package dev.lacuna.core.allocator.mindspeed;

import java.util.Arrays;

/**
 * Records, run by run, which requests survive, and predicts from the last run whether a request will: the common part of
 * MindSpeed's {@code MemoryRecorder} (a run is one forward pass, sizes as asked for) and {@code MallocRecorder} (a run is one
 * step, rounded sizes). Time is a tick per block handed out since the run began.
 */
final class SurvivalRecorder {
    private final SizeNumbers sizes = new SizeNumbers();
    private final Branches branches = new Branches();
    private RunRecords last = new RunRecords();
    private RunRecords running = new RunRecords();
    private boolean recording;
    private boolean branched;
    private int tick = 1;
    private int lookups;
    private int run;

    /** Per block: the records of its size, its tick there, and the number of the run that they belong to. */
    private SizeRecords[] recordsByBlock = new SizeRecords[256];

    private int[] ticksByBlock = new int[256];
    private int[] runsByBlock = new int[256];

    /** A run begins. */
    void begin() {
        recording = true;
        restart();
    }

    /** Ticks start anew; what is being recorded stays. */
    void restart() {
        tick = 1;
    }

    /** The run ends, begun or not: what was recorded is what the next run is predicted from. */
    void end() {
        recording = false;
        tick = 1;
        lookups = 0;
        run++;
        if (branched) {
            branches.add(running);
            branched = false;
        }
        RunRecords forgotten = last;
        last = running;
        running = forgotten;
        running.clear();
    }

    boolean recording() {
        return recording;
    }

    /** Whether the last run recorded anything. */
    boolean knowsALastRun() {
        return last.count() > 0;
    }

    /**
     * Whether a request of this size is expected to survive the run: what the nearest earlier request of equal size did in
     * the last run, else in another branch; a size that nobody knows is expected to end. Not knowing early in a run is the
     * sign of a new branch.
     */
    boolean expectsSurvival(long size) {
        int lookup = lookups++;
        int number = sizes.of(size);
        Fate fate = last.fate(number, tick);
        if (fate == Fate.UNKNOWN) {
            fate = branches.fate(number, tick);
        }
        if (fate == Fate.UNKNOWN && last.count() >= lookup) {
            branched = true;
        }
        return fate == Fate.SURVIVED;
    }

    /** A block was handed out; every one counts a tick, recorded or not. */
    void born(int block, long size) {
        ensure(block);
        if (recording) {
            recordsByBlock[block] = running.add(tick, sizes.of(size));
            ticksByBlock[block] = tick;
            runsByBlock[block] = run;
        } else {
            recordsByBlock[block] = null;
        }
        tick++;
    }

    /** The block was freed: it did not survive the run, if that run is still going on. */
    void freed(int block) {
        SizeRecords records = recordsByBlock[block];
        if (records != null && runsByBlock[block] == run) {
            running.ended(records, ticksByBlock[block], tick);
        }
        recordsByBlock[block] = null;
    }

    private void ensure(int block) {
        if (block >= recordsByBlock.length) {
            int length = Math.max(block + 1, recordsByBlock.length * 2);
            recordsByBlock = Arrays.copyOf(recordsByBlock, length);
            ticksByBlock = Arrays.copyOf(ticksByBlock, length);
            runsByBlock = Arrays.copyOf(runsByBlock, length);
        }
    }
}
