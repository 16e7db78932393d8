package dev.lacuna.bridge.device;

import java.util.List;
import java.util.Map;

/** What accelerators this machine has and who holds their memory. */
public interface DeviceInventory {
    /** The devices now, by index; empty when there are none or their driver does not answer. */
    List<DeviceFacts> devices();

    /** NVIDIA's devices of this machine. */
    static DeviceInventory ofThisMachine() {
        return new NvmlInventory("libnvidia-ml.so.1");
    }

    /** All of this machine's, by the kind of device: {@code cuda}, {@code npu}. */
    static Map<String, DeviceInventory> everyOfThisMachine() {
        return Map.of(
                "cuda",
                ofThisMachine(),
                "npu",
                new NpuSmiInventory(System.getenv().getOrDefault("PATH", ""), System::nanoTime));
    }
}
