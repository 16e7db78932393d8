package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.base.event.EventKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Trace entries in columns that grow by chunks: no array is ever copied, none is large. About thirty bytes an entry. What
 * most entries share (stream and pools; compile context and note) is kept once and named by number.
 */
public final class EventColumns {
    /** What one row takes here, in bytes. */
    public static final int ROW_BYTES = 32;

    static final int CHUNK_BITS = 14;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MASK = CHUNK - 1;
    private static final int MOST_PLACES = 1 << Character.SIZE;
    private static final Remark NO_REMARK = new Remark("", "");

    /** The stream that an entry is about, and its pair of pools. Ordered, like remarks, for maps under attack. */
    private record Place(long stream, PoolId pool) implements Comparable<Place> {
        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::stream)
                .thenComparingLong(p -> p.pool().graph())
                .thenComparingLong(p -> p.pool().user());

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** What was being compiled, and what the program noted. */
    private record Remark(String context, String note) implements Comparable<Remark> {
        private static final Comparator<Remark> ORDER =
                Comparator.comparing(Remark::context).thenComparing(Remark::note);

        @Override
        public int compareTo(Remark other) {
            return ORDER.compare(this, other);
        }
    }

    private static final int[] NO_REMARKS = {};
    private static final EventKind[] ACTIONS = EventKind.values();

    private byte[][] actions = new byte[8][];
    private long[][] addresses = new long[8][];
    private long[][] bytes = new long[8][];
    private long[][] ticks = new long[8][];
    private int[][] stacks = new int[8][];
    private char[][] places = new char[8][];

    /** Chunks without remarks are empty. */
    private int[][] remarks = new int[8][];

    private final List<Place> placeList = new ArrayList<>();
    private final Map<Place, Integer> placeNumbers = new HashMap<>();
    private Place lastPlace = new Place(0, PoolId.DEFAULT);
    private int lastPlaceNumber;
    private final List<Remark> remarkList = new ArrayList<>(List.of(NO_REMARK));
    private final Map<Remark, Integer> remarkNumbers = new HashMap<>(Map.of(NO_REMARK, 0));
    private Remark lastRemark = NO_REMARK;
    private int lastRemarkNumber;
    private int size;

    public EventColumns() {
        placeList.add(lastPlace);
        placeNumbers.put(lastPlace, 0);
    }

    public int size() {
        return size;
    }

    /** Whether the next row takes new memory: {@link #chunkBytes}. */
    public boolean needsChunk() {
        return (size & MASK) == 0;
    }

    public static long chunkBytes() {
        return (long) CHUNK * ROW_BYTES;
    }

    /** Appends a row on the default stream and returns its number. */
    public int add(EventKind action, long address, long size, long tick, int stack) {
        int c = this.size >>> CHUNK_BITS;
        int i = this.size & MASK;
        if (i == 0) {
            startChunk(c);
        }
        actions[c][i] = (byte) action.ordinal();
        addresses[c][i] = address;
        bytes[c][i] = size;
        ticks[c][i] = tick;
        stacks[c][i] = stack;
        return this.size++;
    }

    /** Sets the stream and the pools of a row; false where there are more pairs of them than any program has. */
    public boolean place(int row, long stream, PoolId pool) {
        if (stream != lastPlace.stream() || !pool.equals(lastPlace.pool())) {
            Place place = new Place(stream, pool);
            Integer known = placeNumbers.get(place);
            if (known == null) {
                if (placeList.size() == MOST_PLACES) {
                    return false;
                }
                known = placeList.size();
                placeList.add(place);
                placeNumbers.put(place, known);
            }
            lastPlace = place;
            lastPlaceNumber = known;
        }
        places[row >>> CHUNK_BITS][row & MASK] = (char) lastPlaceNumber;
        return true;
    }

    /** Sets what is said beside a row. */
    public void remark(int row, String context, String note) {
        if (context.isEmpty() && note.isEmpty()) {
            return;
        }
        if (!context.equals(lastRemark.context()) || !note.equals(lastRemark.note())) {
            lastRemark = new Remark(context, note);
            Integer known = remarkNumbers.putIfAbsent(lastRemark, remarkList.size());
            if (known == null) {
                known = remarkList.size();
                remarkList.add(lastRemark);
            }
            lastRemarkNumber = known;
        }
        int c = row >>> CHUNK_BITS;
        if (remarks[c].length == 0) {
            remarks[c] = new int[CHUNK];
        }
        remarks[c][row & MASK] = lastRemarkNumber;
    }

    /** Number of different remarks. */
    public int remarkCount() {
        return remarkList.size();
    }

    int action(int row) {
        return actions[row >>> CHUNK_BITS][row & MASK];
    }

    long address(int row) {
        return addresses[row >>> CHUNK_BITS][row & MASK];
    }

    long bytes(int row) {
        return bytes[row >>> CHUNK_BITS][row & MASK];
    }

    long tick(int row) {
        return ticks[row >>> CHUNK_BITS][row & MASK];
    }

    int stack(int row) {
        return stacks[row >>> CHUNK_BITS][row & MASK];
    }

    long stream(int row) {
        return placeList.get(places[row >>> CHUNK_BITS][row & MASK]).stream();
    }

    PoolId pool(int row) {
        return placeList.get(places[row >>> CHUNK_BITS][row & MASK]).pool();
    }

    String context(int row) {
        return remarkOf(row).context();
    }

    String note(int row) {
        return remarkOf(row).note();
    }

    private Remark remarkOf(int row) {
        int[] chunk = remarks[row >>> CHUNK_BITS];
        return chunk.length == 0 ? NO_REMARK : remarkList.get(chunk[row & MASK]);
    }

    /** Appends a row of other columns. */
    public void copy(EventColumns from, int row) {
        int copied = size;
        add(ACTIONS[from.action(row)], from.address(row), from.bytes(row), from.tick(row), from.stack(row));
        place(copied, from.stream(row), from.pool(row));
        remark(copied, from.context(row), from.note(row));
    }

    private void startChunk(int c) {
        if (c == actions.length) {
            actions = Arrays.copyOf(actions, c * 2);
            addresses = Arrays.copyOf(addresses, c * 2);
            bytes = Arrays.copyOf(bytes, c * 2);
            ticks = Arrays.copyOf(ticks, c * 2);
            stacks = Arrays.copyOf(stacks, c * 2);
            places = Arrays.copyOf(places, c * 2);
            remarks = Arrays.copyOf(remarks, c * 2);
        }
        actions[c] = new byte[CHUNK];
        addresses[c] = new long[CHUNK];
        bytes[c] = new long[CHUNK];
        ticks[c] = new long[CHUNK];
        stacks[c] = new int[CHUNK];
        places[c] = new char[CHUNK];
        remarks[c] = NO_REMARKS;
    }
}
