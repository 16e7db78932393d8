package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Storages that may be evicted, in the order in which they became so: rules break ties by it. */
public final class EvictionPool {
    /** Gaps are left where something was taken out, and closed when they are more than what is left. */
    private Storage[] slots = new Storage[64];

    private int end;
    private int size;
    private long bytes;

    public void add(Storage storage) {
        if (end == slots.length) {
            slots = Arrays.copyOf(slots, 2 * end);
        }
        storage.poolPosition = end;
        slots[end++] = storage;
        size++;
        bytes += storage.bytes;
    }

    public void remove(Storage storage) {
        slots[storage.poolPosition] = null;
        storage.poolPosition = -1;
        size--;
        bytes -= storage.bytes;
        if (end > 32 && size < end / 2) {
            close();
        }
    }

    boolean contains(Storage storage) {
        return storage.poolPosition >= 0;
    }

    public int size() {
        return size;
    }

    /** Bytes of all of them together. */
    long bytes() {
        return bytes;
    }

    /** Slots to go through from 0; some are empty. */
    int end() {
        return end;
    }

    /** What is in a slot; null when nothing is. */
    Storage at(int slot) {
        return slots[slot];
    }

    /** One of them, each as likely as any other; there must be one. */
    Storage any(SplittableRandom random) {
        while (true) {
            Storage drawn = slots[random.nextInt(end)];
            if (drawn != null) {
                return drawn;
            }
        }
    }

    private void close() {
        int kept = 0;
        for (int i = 0; i < end; i++) {
            if (slots[i] != null) {
                slots[i].poolPosition = kept;
                slots[kept++] = slots[i];
            }
        }
        Arrays.fill(slots, kept, end, null);
        end = kept;
    }
}
