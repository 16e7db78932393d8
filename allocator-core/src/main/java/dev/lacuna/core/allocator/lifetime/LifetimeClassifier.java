package dev.lacuna.core.allocator.lifetime;

/**
 * Predicts how long a request will live from how requests of its size, at its place in the step, lived before; exactly as
 * docs/allocator.md ("Lifetime") says. Where a program marks no steps, having survived 2048 events counts as long.
 *
 * <p>Call order: {@link #classify} for each request, {@link #born} if it got a block, {@link #freed} when that is given
 * back. Blocks are numbered from 1 by the caller; a number may be used again after its block was freed.
 */
public final class LifetimeClassifier {
    /** Unit of rounded sizes. */
    static final int UNIT_BYTES = 512;

    /** Places in a step that are told apart, per size. */
    private static final int PLACES = 64;

    /** Without step marks: a block that is this many events old has lived long. */
    private static final int LONG_AGE_EVENTS = 2048;

    private final RequestCounts counts = new RequestCounts();
    private final LifetimeScores scores = new LifetimeScores();
    private final YoungBlocks young = new YoungBlocks();
    private boolean stepsMarked;
    private long events;
    private long lastKey;
    private boolean lastUnderSetup;

    /**
     * Decides for a request and counts it.
     *
     * @param rounded block size asked for, a positive multiple of 512 bytes
     * @param setup whether the phase {@code setup} is open
     */
    public Lifetime classify(long rounded, boolean setup) {
        events++;
        if (!stepsMarked) {
            decideSurvivors();
        }
        int place = stepsMarked ? counts.next(rounded, PLACES - 1) : 0;
        lastKey = rounded / UNIT_BYTES * PLACES + place;
        lastUnderSetup = setup;
        return setup ? Lifetime.LONG : scores.predict(lastKey);
    }

    /** The request classified last got this block. */
    public void born(int block) {
        if (!lastUnderSetup) {
            young.add(block, lastKey, events);
        }
    }

    /** A block is given back. */
    public void freed(int block) {
        events++;
        if (young.contains(block)) {
            scores.sawShort(young.key(block));
            young.remove(block);
        }
    }

    /** The outermost phase {@code step} begins. */
    public void stepBegan() {
        stepsMarked = true;
        counts.restart();
    }

    /** The outermost phase {@code step} ends: what still lives outlived it. */
    public void stepEnded() {
        while (!young.isEmpty()) {
            decideLong(young.oldest());
        }
    }

    /** Fibonacci hashing: the highest bits of the key times 2^64 / φ. */
    static int hash(long key, int bits) {
        return (int) (key * 0x9E3779B97F4A7C15L >>> (Long.SIZE - bits));
    }

    private void decideSurvivors() {
        while (!young.isEmpty() && events - young.birth(young.oldest()) >= LONG_AGE_EVENTS) {
            decideLong(young.oldest());
        }
    }

    private void decideLong(int block) {
        scores.sawLong(young.key(block));
        young.remove(block);
    }
}
