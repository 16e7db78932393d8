package dev.lacuna.core.planning.method;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Speeds of devices that trainings run on, for plans of what has not run: dense 16-bit matrix operations with 32-bit sums and
 * the bus to the host, both as the makers' data sheets give them.
 *
 * <p>Nothing sustains them. {@link #SUSTAINED} and {@link #LINK_SHARE} say what is planned with, and {@link #LOW} and {@link
 * #HIGH} between what limits it lies; none of the four was fitted to a measurement.
 */
public enum DeviceCard {
    V100("v100", 125, Bus.PCIE_3),
    A100("a100", 312, Bus.PCIE_4),
    A800("a800", 312, Bus.PCIE_4),
    H100("h100", 989, Bus.PCIE_5),
    H200("h200", 989, Bus.PCIE_5),
    L40S("l40s", 362, Bus.PCIE_4),
    RTX_3090("rtx3090", 71, Bus.PCIE_4),
    RTX_4090("rtx4090", 165, Bus.PCIE_4),
    MI300X("mi300x", 1307, Bus.PCIE_5),
    ASCEND_910("ascend910", 256, Bus.PCIE_4),
    ASCEND_910B("ascend910b", 313, Bus.PCIE_4);

    /** Of the peak, in the layers of a well-tuned training. */
    public static final double SUSTAINED = 0.45;

    /** Of the bus's rate, in large copies of pinned memory: 25 GB/s of PCIe 4.0's 31.5. */
    public static final double LINK_SHARE = 0.8;

    /** The least that trainings worth tuning sustain, as a share of the peak. */
    public static final double LOW = 0.3;

    /** The most that is reported of them. */
    public static final double HIGH = 0.6;

    private static final double TERA = 1e12;

    /** Sixteen lanes, bytes a second each way, after the encoding on the wire. */
    private enum Bus {
        PCIE_3(15_754_000_000L),
        PCIE_4(31_508_000_000L),
        PCIE_5(63_015_000_000L);

        private final long bytesPerSecond;

        Bus(long bytesPerSecond) {
            this.bytesPerSecond = bytesPerSecond;
        }
    }

    private final String id;
    private final double teraflops;
    private final Bus bus;

    DeviceCard(String id, double teraflops, Bus bus) {
        this.id = id;
        this.teraflops = teraflops;
        this.bus = bus;
    }

    /** Stable name, as on the command line. */
    public String id() {
        return id;
    }

    /** Peak, floating-point operations a second. */
    public double peakFlops() {
        return teraflops * TERA;
    }

    /** What is planned with, floating-point operations a second. */
    public double sustainedFlops() {
        return SUSTAINED * peakFlops();
    }

    /** What copies are planned with, bytes a second each way. */
    public long linkBytesPerSecond() {
        return Math.round(LINK_SHARE * bus.bytesPerSecond);
    }

    /** The card of this name, in whatever case. */
    public static Optional<DeviceCard> of(String id) {
        return Arrays.stream(values())
                .filter(card -> card.id.equals(id.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** All names. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(DeviceCard::id).toList();
    }
}
