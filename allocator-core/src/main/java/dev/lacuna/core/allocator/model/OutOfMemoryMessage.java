package dev.lacuna.core.allocator.model;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What allocators say when they run out of memory. The figures come in the order of PyTorch's older message, and sizes are
 * written as {@code format_size} of PyTorch and torch_npu does, so that every reader of such messages understands them.
 */
public final class OutOfMemoryMessage {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private OutOfMemoryMessage() {}

    /** The agent's message (native/src/pool/message.c) for a request of this many bytes that failed just now. */
    public static String ofAgent(long tried, MemoryCounters c) {
        GapParts gap = c.gap();
        return "Lacuna out of memory. " + figures(tried, "virtual " + c.device(), c, c.fraction() < 1)
                + " gap " + size(c.gapNowBytes()) + ": " + size(gap.releasableBytes()) + " releasable, "
                + size(gap.splitBytes()) + " split, " + size(gap.pendingBytes()) + " pending. Optimisation "
                + (c.optimisation() ? "on." : "off.");
    }

    /** torch_npu's and MindSpeed's message; {@code tried} is the segment that could not be had. */
    public static String ofNpu(long tried, MemoryCounters c, boolean capped) {
        return "NPU out of memory. " + figures(tried, "NPU " + c.device(), c, capped)
                + " If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.";
    }

    private static String figures(long tried, String device, MemoryCounters c, boolean capped) {
        long free = Math.max(0, c.totalBytes() - c.outsideBytes() - c.reservedBytes());
        return "Tried to allocate " + size(tried) + " (" + device + "; " + size(c.totalBytes()) + " total capacity; "
                + size(c.allocatedBytes()) + " already allocated; " + size(c.activeBytes()) + " current active; "
                + size(free) + " free; " + (capped ? size(c.limitBytes()) + " allowed; " : "")
                + size(c.reservedBytes()) + " reserved in total by PyTorch)";
    }

    /** {@code 1024 bytes, 1.00 KiB, 1024.00 KiB, 1.00 MiB, 1024.00 MiB, 1.00 GiB}: a unit reaches up to 1024 inclusive. */
    static String size(long bytes) {
        if (bytes <= KIB) {
            return bytes + " bytes";
        }
        if (bytes <= MIB) {
            return in(bytes, KIB) + " KiB";
        }
        return bytes <= GIB ? in(bytes, MIB) + " MiB" : in(bytes, GIB) + " GiB";
    }

    /** C prints the exact value of a double, and rounds a tie to the even digit. */
    private static String in(long bytes, long unit) {
        return new BigDecimal((double) bytes / unit)
                .setScale(2, RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}
