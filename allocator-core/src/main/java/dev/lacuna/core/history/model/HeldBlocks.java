package dev.lacuna.core.history.model;

import java.util.Arrays;

/**
 * The blocks that hold memory at a moment, by unsigned address, with what a {@link Moment} asks of each. They lie side by side: the
 * history's own columns are ordered by time, and neighbours in memory are far apart there. Immutable.
 */
public final class HeldBlocks {
    /** Memory that one of them takes here. */
    public static final int BYTES_EACH = 3 * Long.BYTES + 3 * Integer.BYTES;

    private final int[] allocations;
    private final long[] addresses;
    private final long[] bytes;
    private final long[] requested;
    private final int[] freed;
    private final int[] died;

    private HeldBlocks(int size) {
        allocations = new int[size];
        addresses = new long[size];
        bytes = new long[size];
        requested = new long[size];
        freed = new int[size];
        died = new int[size];
    }

    /** Those that were there before the first event. */
    public static HeldBlocks opening(DeviceHistory history) {
        AddressOrder order = new AddressOrder();
        for (int a = 0; a < history.openingAllocations(); a++) {
            order.add(a, history.addressOf(a));
        }
        return of(history, order);
    }

    /** Those that hold memory at a moment out of the allocations {@code first ≤ a < end}. */
    public static HeldBlocks born(DeviceHistory history, int first, int end, int moment) {
        AddressOrder order = new AddressOrder();
        for (int a = first; a < end; a++) {
            if (history.diedAt(a) >= moment) {
                order.add(a, history.addressOf(a));
            }
        }
        return of(history, order);
    }

    private static HeldBlocks of(DeviceHistory history, AddressOrder order) {
        order.sort();
        HeldBlocks blocks = new HeldBlocks(order.size());
        for (int i = 0; i < order.size(); i++) {
            int a = order.allocation(i);
            blocks.allocations[i] = a;
            blocks.addresses[i] = order.address(i);
            blocks.bytes[i] = history.bytesOf(a);
            blocks.requested[i] = history.requestedOf(a);
            blocks.freed[i] = history.freedAt(a);
            blocks.died[i] = history.diedAt(a);
        }
        return blocks;
    }

    /** Those of these that still hold memory at a later moment, and others. */
    public HeldBlocks later(int moment, HeldBlocks others) {
        int count = others.size();
        for (int end : died) {
            count += end >= moment ? 1 : 0;
        }
        if (count == size() && others.size() == 0) {
            return this;
        }
        HeldBlocks out = new HeldBlocks(count);
        int to = 0;
        int next = 0;
        for (int i = 0; i < size(); i++) {
            if (died[i] >= moment) {
                while (next < others.size() && Long.compareUnsigned(others.addresses[next], addresses[i]) < 0) {
                    out.set(to++, others, next++);
                }
                out.set(to++, this, i);
            }
        }
        while (next < others.size()) {
            out.set(to++, others, next++);
        }
        return out;
    }

    private void set(int to, HeldBlocks from, int i) {
        allocations[to] = from.allocations[i];
        addresses[to] = from.addresses[i];
        bytes[to] = from.bytes[i];
        requested[to] = from.requested[i];
        freed[to] = from.freed[i];
        died[to] = from.died[i];
    }

    public int size() {
        return allocations.length;
    }

    /** Number of the allocation. */
    int allocation(int i) {
        return allocations[i];
    }

    /** Unsigned address. */
    long address(int i) {
        return addresses[i];
    }

    /** Size in bytes, rounding included. */
    long bytes(int i) {
        return bytes[i];
    }

    /** Bytes that were asked for. */
    long requested(int i) {
        return requested[i];
    }

    /** The event by which the trainer gave it back. */
    int freedAt(int i) {
        return freed[i];
    }

    /** Allocations to be put in the order of their unsigned addresses. The library's sorts cannot take them along without objects. */
    private static final class AddressOrder {
        private int[] allocations = new int[64];
        private long[] addresses = new long[64];
        private int size;

        void add(int allocation, long address) {
            if (size == allocations.length) {
                allocations = Arrays.copyOf(allocations, 2 * size);
                addresses = Arrays.copyOf(addresses, 2 * size);
            }
            allocations[size] = allocation;
            addresses[size++] = address;
        }

        public int size() {
            return size;
        }

        int allocation(int i) {
            return allocations[i];
        }

        long address(int i) {
            return addresses[i];
        }

        /** A merge sort: what came first stays first among equals. */
        void sort() {
            int[] otherAllocations = new int[size];
            long[] otherAddresses = new long[size];
            for (int width = 1; width < size; width *= 2) {
                for (int low = 0; low < size; low += 2 * width) {
                    int middle = Math.min(low + width, size);
                    merge(low, middle, Math.min(low + 2 * width, size), otherAllocations, otherAddresses);
                }
                int[] sorted = otherAllocations;
                otherAllocations = allocations;
                allocations = sorted;
                long[] sortedAddresses = otherAddresses;
                otherAddresses = addresses;
                addresses = sortedAddresses;
            }
        }

        private void merge(int low, int middle, int high, int[] toAllocations, long[] toAddresses) {
            int a = low;
            int b = middle;
            for (int i = low; i < high; i++) {
                boolean second = b < high && (a >= middle || Long.compareUnsigned(addresses[b], addresses[a]) < 0);
                int from = second ? b : a;
                toAllocations[i] = allocations[from];
                toAddresses[i] = addresses[from];
                b += second ? 1 : 0;
                a += second ? 0 : 1;
            }
        }
    }
}
