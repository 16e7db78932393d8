package dev.lacuna.app.window;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The memory of this machine, which is that of the training processes it runs. */
final class HostMemory {
    private HostMemory() {}

    /** All of it, bytes; 0 where the virtual machine does not tell. */
    static long bytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }
}
