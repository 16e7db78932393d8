package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.OpeningMemory;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stream of allocator commands. Immutable.
 *
 * <p>Each allocation has a block number of its own, counted from 0 in the order of the trace; a free names the number of the
 * allocation whose block it gives back.
 */
public final class AllocationTrace extends TraceRows implements TraceSource {
    private static final int FIRST_ROOM = 1024;

    private final OptionalLong totalBytes;
    private final Optional<OpeningMemory> opening;
    private final boolean truncated;
    private final OddRows odd;
    private final List<String> names;
    private final int blockCount;

    private AllocationTrace(Builder from) {
        super(from.rows);
        totalBytes = from.totalBytes;
        opening = Optional.empty();
        truncated = false;
        odd = OddRows.NONE;
        names = List.copyOf(from.names);
        blockCount = from.blockCount;
    }

    private AllocationTrace(AllocationTrace rows, Optional<OpeningMemory> held, boolean cut, OddRows left) {
        super(rows);
        totalBytes = rows.totalBytes;
        opening = held;
        truncated = cut;
        odd = left;
        names = rows.names;
        blockCount = rows.blockCount;
    }

    /** A trace under construction. */
    public static Builder builder() {
        return new Builder();
    }

    /** Everything that a cursor still has; closes it. */
    public static AllocationTrace of(TraceCursor cursor) throws IOException {
        return ofAtMost(Integer.MAX_VALUE, cursor).orElseThrow(() -> new IOException("more rows than can be numbered"));
    }

    /** Everything that a cursor still has, if that is not more than this many rows; closes it. */
    static Optional<AllocationTrace> ofAtMost(int rows, TraceCursor cursor) throws IOException {
        try (cursor) {
            return new Collection().of(cursor, rows);
        }
    }

    /** Capacity of the device it was recorded on, in bytes; empty when it does not say. */
    public OptionalLong totalBytes() {
        return totalBytes;
    }

    /** What was held when the recording began; its blocks are those of the first rows. Empty when not known. */
    public Optional<OpeningMemory> opening() {
        return opening;
    }

    /** These rows, the first of which ask for the live blocks of what was held, in the order of their names. */
    public AllocationTrace startingFrom(OpeningMemory held) {
        return new AllocationTrace(this, Optional.of(held), truncated, odd);
    }

    /** Whether its file ended early: these are the rows that were whole before. */
    public boolean truncated() {
        return truncated;
    }

    /** These rows of a file that ended early. */
    public AllocationTrace endingEarly() {
        return new AllocationTrace(this, opening, true, odd);
    }

    /** What of its file made no sense. */
    public OddRows odd() {
        return odd;
    }

    /** Number of allocations: block numbers are smaller. */
    public int blockCount() {
        return blockCount;
    }

    /** The name of a block in trace text: as recorded, else made from its number. */
    public String name(int block) {
        return block < names.size() ? names.get(block) : "b" + block;
    }

    @Override
    public AllocationTrace whole() {
        return this;
    }

    @Override
    public TraceSource keptUpTo(int rows) {
        return this;
    }

    /** A reading of this trace; its blocks keep their numbers. */
    @Override
    public TraceCursor open() {
        return new Reading();
    }

    /** Two traces are equal when they ask for the same, under the same names. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof AllocationTrace)) {
            return false;
        }
        AllocationTrace that = (AllocationTrace) other;
        return totalBytes.equals(that.totalBytes) && hasRowsOf(that) && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(size(), blockCount, totalBytes);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "AllocationTrace[%d rows, %d blocks]", size(), blockCount);
    }

    /** Collects rows in order. Whoever fills it has checked the values. */
    public static final class Builder {
        private OptionalLong totalBytes = OptionalLong.empty();
        private int blockCount;
        private long nowNs;
        private final TraceRows rows = new TraceRows(FIRST_ROOM);
        private final List<String> names = new ArrayList<>();

        private Builder() {}

        /** Capacity of the device, in bytes, &gt; 0. */
        public Builder total(long bytes) {
            totalBytes = OptionalLong.of(bytes);
            return this;
        }

        /** Rows added from now on happened at this time. */
        public Builder at(long timeNs) {
            nowNs = timeNs;
            return this;
        }

        /** A request; returns the number of its block. */
        public int alloc(long bytes, int stream) {
            add(EventKind.ALLOC, blockCount, bytes, stream);
            return blockCount++;
        }

        /** A request whose block has a name; a trace names either all of its blocks or none. */
        public int alloc(String name, long bytes, int stream) {
            names.add(name);
            return alloc(bytes, stream);
        }

        /** Gives back the block of this number. */
        public Builder free(int block) {
            return add(EventKind.FREE, block, 0, 0);
        }

        /** A phase begins or ends. */
        public Builder phase(Phase phase, boolean begin) {
            return add(EventKind.PHASE, 0, phaseValue(phase, begin), 0);
        }

        /** Gives cached memory back. */
        public Builder emptyCache() {
            return add(EventKind.EMPTY_CACHE, 0, 0, 0);
        }

        /** Asks for the counters. */
        public Builder stats() {
            return add(EventKind.STATS, 0, 0, 0);
        }

        /** Other processes hold this many bytes from now on, ≥ 0. */
        public Builder other(long bytes) {
            return add(EventKind.OUTSIDE, 0, bytes, 0);
        }

        /** The cap from now on, as a share of the capacity, 0 &lt; f ≤ 1. */
        public Builder fraction(double fraction) {
            int decimals = BigDecimal.valueOf(fraction).stripTrailingZeros().scale();
            return add(EventKind.LIMIT, 0, Double.doubleToLongBits(fraction), Math.max(0, decimals));
        }

        /** The trace so far. */
        public AllocationTrace build() {
            return new AllocationTrace(this);
        }

        private Builder add(EventKind operation, int block, long value, int stream) {
            rows.add(operation, block, value, stream, nowNs);
            return this;
        }
    }

    /** Makes a trace of what a cursor yields. */
    private static final class Collection {
        private final Builder trace = builder();

        /** The number in the trace of the block that has a number of the cursor's now. */
        private int[] numbers = new int[256];

        Optional<AllocationTrace> of(TraceCursor cursor, int most) throws IOException {
            TraceChunk chunk = TraceChunk.named();
            while (cursor.next(chunk)) {
                if (chunk.firstRow() + chunk.size() > most) {
                    return Optional.empty();
                }
                for (int i = 0; i < chunk.size(); i++) {
                    trace.at(chunk.timeNs(i));
                    add(chunk, i);
                }
            }
            cursor.totalBytes().ifPresent(trace::total);
            AllocationTrace rows = trace.build();
            return Optional.of(new AllocationTrace(rows, cursor.opening(), cursor.truncated(), cursor.odd()));
        }

        private void add(TraceChunk chunk, int i) {
            switch (chunk.operation(i)) {
                case ALLOC -> {
                    int block = chunk.block(i);
                    if (block >= numbers.length) {
                        numbers = Arrays.copyOf(numbers, Math.max(block + 1, numbers.length * 2));
                    }
                    chunk.name(i).ifPresent(trace.names::add);
                    numbers[block] = trace.alloc(chunk.bytes(i), chunk.stream(i));
                }
                case FREE -> trace.free(numbers[chunk.block(i)]);
                case PHASE -> trace.phase(chunk.phase(i), chunk.begins(i));
                case EMPTY_CACHE -> trace.emptyCache();
                case STATS -> trace.stats();
                case OUTSIDE -> trace.other(chunk.bytes(i));
                case LIMIT -> trace.rows.copy(chunk, i);
                default -> throw new IllegalArgumentException("no row of a trace: " + chunk.operation(i));
            }
        }
    }

    /** Hands the rows out in chunks. */
    private final class Reading implements TraceCursor {
        private int row;

        @Override
        public boolean next(TraceChunk chunk) {
            chunk.restart(row);
            int end = Math.min(size(), row + TraceChunk.ROWS);
            for (; row < end; row++) {
                chunk.take(AllocationTrace.this, row);
                if (chunk.keepsNames() && operation(row) == EventKind.ALLOC && !names.isEmpty()) {
                    chunk.name(names.get(block(row)));
                }
            }
            return chunk.size() > 0;
        }

        @Override
        public OptionalLong totalBytes() {
            return totalBytes;
        }

        @Override
        public Optional<OpeningMemory> opening() {
            return opening;
        }

        @Override
        public boolean truncated() {
            return truncated;
        }

        @Override
        public OddRows odd() {
            return odd;
        }

        @Override
        public void close() {}
    }
}
