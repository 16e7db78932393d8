package dev.lacuna.core.history.model;

import java.util.HashMap;
import java.util.Map;

/**
 * A small number for each slot of 2 MiB of the address space, 0 unless set. What lies further apart than a bounded number of pages of slots is
 * not kept: addresses come from files.
 */
public final class SlotTable {
    /** The agent takes memory in whole chunks of this, at addresses that are multiples of it. */
    public static final long SLOT_BYTES = 2L << 20;

    private static final int SLOT_BITS = 21;
    private static final int PAGE_BITS = 9;
    private static final int PAGE = 1 << PAGE_BITS;

    /** 16 TiB of memory wherever it lies. */
    private static final int MOST_PAGES = 1 << 14;

    private final Map<Long, int[]> pages = new HashMap<>();
    private long lastNumber = -1;
    private int[] last = {};

    /** The slot that an address lies in. */
    public static long slot(long address) {
        return address >>> SLOT_BITS;
    }

    /** The slot behind the last one that so many bytes touch, at most 1 TiB behind the first. */
    public static long end(long address, long bytes) {
        long counted = Math.max(1, Math.min(bytes, 1L << 40));
        return slot(address + counted - 1) + 1;
    }

    /** Where a slot begins. */
    public static long address(long slot) {
        return slot << SLOT_BITS;
    }

    public int get(long slot) {
        int[] page = page(slot);
        return page.length == 0 ? 0 : page[(int) (slot & PAGE - 1)];
    }

    /** Sets it; nothing happens where there are too many. */
    public void set(long slot, int value) {
        int[] page = page(slot);
        if (page.length == 0 && value != 0 && pages.size() < MOST_PAGES) {
            page = new int[PAGE];
            pages.put(slot >>> PAGE_BITS, page);
            last = page;
        }
        if (page.length != 0) {
            page[(int) (slot & PAGE - 1)] = value;
        }
    }

    private int[] page(long slot) {
        long number = slot >>> PAGE_BITS;
        if (number != lastNumber) {
            lastNumber = number;
            last = pages.getOrDefault(number, NO_PAGE);
        }
        return last;
    }

    private static final int[] NO_PAGE = {};
}
