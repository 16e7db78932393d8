package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Blocks by size, in powers of two, each divided by how long its blocks live. Immutable. */
public final class SizeHistogram {
    private static final int CLASSES = LifetimeClass.values().length;

    /**
     * Blocks of similar size.
     *
     * @param fromBytes the smallest size, a power of two (0 for the first)
     * @param toBytes the first size that is too large
     */
    public record Bin(long fromBytes, long toBytes, List<Share> shares) {
        public Bin {
            shares = List.copyOf(shares);
        }

        /** Bytes of all lifetimes. */
        public long bytes() {
            return shares.stream().mapToLong(Share::bytes).sum();
        }

        /** Blocks of all lifetimes. */
        public int blocks() {
            return shares.stream().mapToInt(Share::blocks).sum();
        }

        /** Those of one lifetime. */
        public Share of(LifetimeClass lifetime) {
            return shares.get(lifetime.ordinal());
        }
    }

    /**
     * The blocks of one size and lifetime.
     *
     * @param bytes their bytes
     * @param blocks their number
     */
    public record Share(long bytes, int blocks) {}

    private final List<Bin> bins;

    private SizeHistogram(List<Bin> bins) {
        this.bins = List.copyOf(bins);
    }

    /** The blocks that are live at a moment. */
    public static SizeHistogram at(DeviceHistory history, LifetimeClasses lifetimes, int moment) {
        return of(history, lifetimes, a -> HeldByTrainer.isLive(history, a, moment));
    }

    /** The blocks that were asked for in a range of events, from the first to before the last: what the trainer does. */
    public static SizeHistogram bornIn(DeviceHistory history, LifetimeClasses lifetimes, int from, int to) {
        return of(history, lifetimes, a -> history.bornAt(a) >= from && history.bornAt(a) < to);
    }

    /** From the smallest size that occurs to the largest, without gaps; empty where there are no blocks. */
    public List<Bin> bins() {
        return bins;
    }

    /** The number of the size class of a block: sizes from 2^n to below 2^(n+1) share one, and so do 0 and 1. */
    public static int classOf(long bytes) {
        return bytes <= 1 ? 0 : Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes);
    }

    /** The smallest size of a class. */
    public static long fromBytes(int sizeClass) {
        return sizeClass == 0 ? 0 : 1L << sizeClass;
    }

    private static SizeHistogram of(DeviceHistory history, LifetimeClasses lifetimes, IntPredicate wanted) {
        long[] bytes = new long[Long.SIZE * CLASSES];
        int[] blocks = new int[Long.SIZE * CLASSES];
        for (int a = 0; a < history.allocations(); a++) {
            if (wanted.test(a)) {
                long size = history.bytesOf(a);
                int i = classOf(size) * CLASSES + lifetimes.of(a).ordinal();
                bytes[i] += size;
                blocks[i]++;
            }
        }
        return new SizeHistogram(bins(bytes, blocks));
    }

    private static List<Bin> bins(long[] bytes, int[] blocks) {
        int first = 0;
        int last = Long.SIZE * CLASSES - 1;
        while (first <= last && blocks[first] == 0) {
            first++;
        }
        while (last > first && blocks[last] == 0) {
            last--;
        }
        List<Bin> bins = new ArrayList<>();
        for (int c = first / CLASSES; c <= last / CLASSES && first <= last; c++) {
            List<Share> shares = new ArrayList<>();
            for (int i = c * CLASSES; i < (c + 1) * CLASSES; i++) {
                shares.add(new Share(bytes[i], blocks[i]));
            }
            bins.add(new Bin(fromBytes(c), 1L << (c + 1), shares));
        }
        return bins;
    }
}
