package dev.lacuna.core.allocator.caching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The caching rules once more, as plainly as they can be written: lists and sorted sets, no book kept that can be counted
 * anew. Blocks of small and large segments lie at addresses of their own, from 0 and from 1 PiB.
 */
final class CachingReference {
    private static final long MIB = 1L << 20;
    private static final long LARGE_BASE = 1L << 50;

    /** A block; neighbours touch. */
    static final class Block {
        final Segment segment;
        long address;
        long bytes;
        boolean free = true;
        long freeSince;

        Block(Segment segment, long address, long bytes) {
            this.segment = segment;
            this.address = address;
            this.bytes = bytes;
        }
    }

    /** A segment and its blocks in order. */
    static final class Segment {
        final boolean small;
        final int stream;
        final long address;
        final long bytes;
        final List<Block> blocks = new ArrayList<>();

        Segment(boolean small, int stream, long address, long bytes) {
            this.small = small;
            this.stream = stream;
            this.address = address;
            this.bytes = bytes;
            blocks.add(new Block(this, address, bytes));
        }

        boolean whollyFree() {
            return blocks.size() == 1 && blocks.get(0).free;
        }
    }

    private static final Comparator<Block> ORDER =
            Comparator.<Block>comparingLong(b -> b.bytes).thenComparingLong(b -> b.address);

    private final CachingOptions options;
    private final long total;
    private long limit;
    private final List<Segment> segments = new ArrayList<>();
    private final Map<Integer, Block> live = new HashMap<>();
    private long largeSearches;
    long retries;
    long ooms;

    CachingReference(long total, CachingOptions options) {
        this.total = total;
        this.options = options;
        this.limit = (long) (options.fraction().orElse(1) * total);
    }

    void limit(long bytes) {
        limit = bytes;
    }

    long reserved() {
        return segments.stream().mapToLong(s -> s.bytes).sum();
    }

    /** Address and size of the live block of this id. */
    List<Long> place(int id) {
        Block block = live.get(id);
        return block == null ? List.of() : List.of(block.address % LARGE_BASE, block.bytes);
    }

    void allocate(int id, long bytes, int stream) {
        if (bytes == 0) {
            return;
        }
        long size = options.rounded(bytes);
        boolean small = size <= MIB;
        Block block = bestFit(size, small, stream);
        if (block == null) {
            collectGarbage();
            block = grow(size, small, stream);
        }
        if (block == null && releaseOversize(size, small, stream)) {
            block = grow(size, small, stream);
        }
        if (block == null) {
            emptyCache();
            retries++;
            block = grow(size, small, stream);
        }
        if (block == null) {
            ooms++;
            return;
        }
        long rest = block.bytes - size;
        if (small ? rest >= 512 : size < options.maxSplitBytes() && rest > MIB) {
            Block upper = new Block(block.segment, block.address + size, rest);
            upper.freeSince = largeSearches;
            block.segment.blocks.add(block.segment.blocks.indexOf(block) + 1, upper);
            block.bytes = size;
        }
        block.free = false;
        live.put(id, block);
    }

    void free(int id) {
        Block block = live.remove(id);
        if (block == null) {
            return;
        }
        block.free = true;
        List<Block> row = block.segment.blocks;
        int i = row.indexOf(block);
        if (i + 1 < row.size() && row.get(i + 1).free) {
            block.bytes += row.remove(i + 1).bytes;
        }
        if (i > 0 && row.get(i - 1).free) {
            row.get(i - 1).bytes += row.remove(i).bytes;
            block = row.get(i - 1);
        }
        block.freeSince = largeSearches;
    }

    void emptyCache() {
        segments.removeIf(Segment::whollyFree);
    }

    private Block bestFit(long size, boolean small, int stream) {
        if (!small && collects()) {
            largeSearches++;
        }
        Block best = freeBlocks(small, stream).stream()
                .filter(b -> b.bytes >= size)
                .findFirst()
                .orElse(null);
        if (best == null) {
            return null;
        }
        boolean oversize = size >= options.maxSplitBytes();
        boolean refused = oversize
                ? best.bytes >= size + options.maxNonSplitRoundingBytes()
                : best.bytes >= options.maxSplitBytes();
        return refused ? null : best;
    }

    private Block grow(long size, boolean small, int stream) {
        long bytes = options.segmentBytes(size);
        if (reserved() + bytes > Math.min(limit, total)) {
            return null;
        }
        Segment segment = new Segment(small, stream, lowestGap(small, bytes), bytes);
        segments.add(segment);
        return segment.blocks.get(0);
    }

    private long lowestGap(boolean small, long bytes) {
        long at = small ? 0 : LARGE_BASE;
        List<Segment> sorted = segments.stream()
                .filter(s -> s.small == small)
                .sorted(Comparator.comparingLong(s -> s.address))
                .toList();
        for (Segment s : sorted) {
            if (s.address - at >= wholeSlots(bytes)) {
                break;
            }
            at = s.address + wholeSlots(s.bytes);
        }
        return at;
    }

    private static long wholeSlots(long bytes) {
        return (bytes + 2 * MIB - 1) / (2 * MIB) * 2 * MIB;
    }

    private boolean releaseOversize(long size, boolean small, int stream) {
        if (options.maxSplitBytes() == CachingOptions.UNLIMITED) {
            return false;
        }
        long wanted = Math.max(size, options.maxSplitBytes());
        TreeSet<Block> free = freeBlocks(small, stream);
        for (Block b : free) {
            if (b.bytes >= wanted) {
                segments.remove(b.segment);
                return true;
            }
        }
        long released = 0;
        for (Block b : free.descendingSet()) {
            if (released < wanted && b.bytes >= options.maxSplitBytes()) {
                released += b.bytes;
                segments.remove(b.segment);
            }
        }
        return released >= wanted;
    }

    private boolean collects() {
        return options.garbageCollectionThreshold() > 0 && limit < total;
    }

    private void collectGarbage() {
        long threshold = (long) (options.garbageCollectionThreshold() * limit);
        long goal = reserved() - threshold;
        if (!collects() || goal <= 0) {
            return;
        }
        long reclaimed = 0;
        while (reclaimed < goal) {
            List<Segment> cached =
                    segments.stream().filter(s -> !s.small && s.whollyFree()).toList();
            if (cached.isEmpty()) {
                return;
            }
            double average = cached.stream()
                    .mapToLong(s -> largeSearches - s.blocks.get(0).freeSince)
                    .average()
                    .orElseThrow();
            for (Segment s : cached) {
                if (largeSearches - s.blocks.get(0).freeSince >= average) {
                    reclaimed += s.bytes;
                    segments.remove(s);
                }
            }
        }
    }

    private TreeSet<Block> freeBlocks(boolean small, int stream) {
        TreeSet<Block> free = new TreeSet<>(ORDER);
        for (Segment s : segments) {
            if (s.small == small && s.stream == stream) {
                s.blocks.stream().filter(b -> b.free).forEach(free::add);
            }
        }
        return free;
    }
}
