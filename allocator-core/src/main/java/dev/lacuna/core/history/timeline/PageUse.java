package dev.lacuna.core.history.timeline;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Releasable;
import java.util.Arrays;

/**
 * How many blocks touch each whole page of one segment, so that those that none touches are known at once. What a segment has behind
 * its last whole page is in none.
 */
final class PageUse {
    /** Of a segment without pages. */
    static final PageUse NONE = new PageUse(0, 0, Releasable.NO_PAGES);

    private final long pageBytes;
    private final long start;
    private int[] touching;
    private int pages;
    private int idle;

    private PageUse(long start, long bytes, long pageBytes) {
        this.start = start;
        this.pageBytes = pageBytes;
        pages = pageBytes == Releasable.NO_PAGES ? 0 : pagesOf(bytes);
        touching = new int[pages];
        idle = pages;
    }

    /** A segment's pages, and what the blocks of a device that are live now touch of them. */
    static PageUse of(long start, long bytes, long pageBytes, DeviceHistory device, LiveAllocations live) {
        PageUse use = untouched(start, bytes, pageBytes);
        for (int i = 0; i < live.size() && use.pages > 0; i++) {
            int a = live.get(i);
            use.take(device.addressOf(a), device.bytesOf(a));
        }
        return use;
    }

    /** A segment's pages before any block lies in it. */
    static PageUse untouched(long start, long bytes, long pageBytes) {
        return pageBytes == Releasable.NO_PAGES ? NONE : new PageUse(start, bytes, pageBytes);
    }

    long pageBytes() {
        return pageBytes;
    }

    /** Bytes of the pages that no block touches. */
    long idleBytes() {
        return idle * pageBytes;
    }

    /** A block lies here now. */
    void take(long address, long bytes) {
        int end = end(address, bytes);
        for (int page = end == 0 ? 0 : first(address); page < end; page++) {
            idle -= touching[page]++ == 0 ? 1 : 0;
        }
    }

    /** A block lies here no longer. */
    void give(long address, long bytes) {
        int end = end(address, bytes);
        for (int page = end == 0 ? 0 : first(address); page < end; page++) {
            if (touching[page] > 0) {
                idle += --touching[page] == 0 ? 1 : 0;
            }
        }
    }

    /**
     * Goes on over the pages of the segment right behind this one. Returns whether it could: not, where its pages are of another size, or
     * begin elsewhere than pages of this one would.
     *
     * @param bytes size of this segment
     */
    boolean append(PageUse behind, long bytes) {
        if (pageBytes == Releasable.NO_PAGES || pageBytes != behind.pageBytes || bytes != pages * pageBytes) {
            return false;
        }
        if (pages + behind.pages > touching.length) {
            touching = Arrays.copyOf(touching, Math.max(2 * touching.length, pages + behind.pages));
        }
        System.arraycopy(behind.touching, 0, touching, pages, behind.pages);
        pages += behind.pages;
        idle += behind.idle;
        return true;
    }

    /** Keeps only the pages of the first so many bytes. */
    void truncate(long bytes) {
        int kept = pages == 0 ? 0 : Math.min(pages, pagesOf(bytes));
        for (int page = kept; page < pages; page++) {
            idle -= touching[page] == 0 ? 1 : 0;
        }
        pages = kept;
    }

    /** Whether a segment could begin with a page of this one there. */
    boolean beginsPage(long offset) {
        return pageBytes != Releasable.NO_PAGES && offset % pageBytes == 0;
    }

    /** The pages from this offset on, where one begins, as those of a segment of so many bytes. */
    PageUse from(long offset, long bytes) {
        PageUse use = new PageUse(start + offset, bytes, pageBytes);
        System.arraycopy(touching, (int) (offset / pageBytes), use.touching, 0, use.pages);
        for (int page = 0; page < use.pages; page++) {
            use.idle -= use.touching[page] == 0 ? 0 : 1;
        }
        return use;
    }

    private int pagesOf(long bytes) {
        return Math.toIntExact(bytes / pageBytes);
    }

    private int first(long address) {
        return Long.compareUnsigned(address, start) <= 0 ? 0 : page(address - start);
    }

    /** The page behind the last one that a block touches. */
    private int end(long address, long bytes) {
        long last = address + bytes - 1;
        boolean before = bytes <= 0 || Long.compareUnsigned(last, start) < 0;
        return before || pages == 0 ? 0 : Math.min(pages, page(last - start) + 1);
    }

    private int page(long offset) {
        return (int) Math.min(Integer.MAX_VALUE - 1, Long.divideUnsigned(offset, pageBytes));
    }
}
