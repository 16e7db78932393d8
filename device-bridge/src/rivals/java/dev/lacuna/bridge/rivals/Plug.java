package dev.lacuna.bridge.rivals;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.TelemetryLayout;
import java.util.List;
import java.util.stream.Collectors;

/** Puts the agent's library behind libtorch's own CUDAPluggableAllocator in this process, and reads its counters. */
final class Plug {
    private static final int CUDA = 2; // LACUNA_BACKEND_CUDA

    private static final List<Field> FIELDS = List.of(
            TelemetryLayout.Device.ALLOCATIONS,
            TelemetryLayout.Device.FREES,
            TelemetryLayout.Device.OOMS,
            TelemetryLayout.Device.RETRIES,
            TelemetryLayout.Device.REMAPS,
            TelemetryLayout.Device.PEAK_ALLOCATED_BYTES,
            TelemetryLayout.Device.PEAK_RESERVED_BYTES);

    private final String agentPath;
    private final NativeLibrary plug;
    private final NativeLibrary agent;

    Plug(String nativeFolder) {
        agentPath = nativeFolder + "/liblacuna_torch.so";
        plug = NativeLibrary.getInstance(nativeFolder + "/rivals/libplug.so");
        agent = NativeLibrary.getInstance(agentPath);
    }

    /** From now on libtorch's CUDA tensors come from the agent. */
    void install() {
        if (plug.getFunction("rivals_plug").invokeInt(new Object[] {agentPath}) != 0) {
            throw new IllegalStateException("libtorch did not take " + agentPath);
        }
    }

    /** What device 0's agent counted, as {@code name=value} words. */
    String counters() {
        Pointer device = (Pointer) function("lacuna_served").invoke(Pointer.class, new Object[] {CUDA, 0});
        if (device == null) {
            return "served=none";
        }
        Memory counters = new Memory(TelemetryLayout.Device.BYTES);
        function("lacuna_counters").invokeInt(new Object[] {device, counters});
        return "served=cuda"
                + FIELDS.stream()
                        .map(field -> " " + field.name() + "=" + counters.getLong(field.offset()))
                        .collect(Collectors.joining());
    }

    private Function function(String name) {
        return agent.getFunction(name);
    }
}
