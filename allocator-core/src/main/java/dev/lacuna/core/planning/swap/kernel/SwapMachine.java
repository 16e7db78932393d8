package dev.lacuna.core.planning.swap.kernel;

/**
 * What a plan may use. Each direction of the link carries one transfer at a time; both directions work at once.
 *
 * @param clockHz cycles per second, the unit of all times
 * @param deviceBytes memory of the device
 * @param hostBytes memory of the host that tensors may go to; what does not fit goes to the disk
 * @param linkBytesPerSecond of the link, per direction
 * @param diskBytesPerSecond of the disk, per direction; its transfers hold the link for as long as they take
 */
public record SwapMachine(
        long clockHz, long deviceBytes, long hostBytes, double linkBytesPerSecond, double diskBytesPerSecond) {
    private static final long GB = 1_000_000_000L;

    /** The machine of G10 (Zhang et al., MICRO 2023): an A100 behind PCIe 3.0 ×16 and one NVMe disk. */
    public static final SwapMachine G10 = new SwapMachine(1_200_000_000L, 40 * GB, 128 * GB, 15.754e9, 3.2e9);

    public SwapMachine {
        if (clockHz <= 0 || deviceBytes <= 0 || hostBytes < 0 || linkBytesPerSecond <= 0 || diskBytesPerSecond <= 0) {
            throw new IllegalArgumentException("a machine needs a clock, memory and links");
        }
    }

    /** The same with another device memory. */
    public SwapMachine withDevice(long bytes) {
        return new SwapMachine(clockHz, bytes, hostBytes, linkBytesPerSecond, diskBytesPerSecond);
    }

    /** The same behind another link. */
    public SwapMachine withLink(double bytesPerSecond) {
        return new SwapMachine(clockHz, deviceBytes, hostBytes, bytesPerSecond, diskBytesPerSecond);
    }

    /** Cycles to move this much, at least one. */
    long cycles(long bytes, boolean disk) {
        double perSecond = disk ? Math.min(linkBytesPerSecond, diskBytesPerSecond) : linkBytesPerSecond;
        return Math.max(1, (long) Math.ceil(bytes / perSecond * clockHz));
    }
}
