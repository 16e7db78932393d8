package dev.lacuna.bridge.device;

import java.util.List;

/** What accelerators this machine has and who holds their memory. */
public interface DeviceInventory {
    /** The devices now, by index; empty when there are none or their driver does not answer. */
    List<DeviceFacts> devices();

    /** The devices of this machine. */
    static DeviceInventory ofThisMachine() {
        return new NvmlInventory("libnvidia-ml.so.1");
    }
}
