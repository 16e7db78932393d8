package dev.lacuna.bridge.device;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.RecordShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** NVIDIA's devices through NVML (its reference manual names the functions and records used here). */
final class NvmlInventory implements DeviceInventory {
    private static final int SUCCESS = 0;
    private static final int INSUFFICIENT_SIZE = 7;

    /** NVML_DEVICE_NAME_V2_BUFFER_SIZE. */
    private static final int NAME_BYTES = 96;

    /** NVML_VALUE_NOT_AVAILABLE. */
    private static final long NOT_AVAILABLE = -1;

    private static final int FIRST_ROOM = 32;
    private static final int MOST_PROCESSES = 4096;

    /** nvmlMemory_t. */
    private static final class MemoryInfo {
        private static final RecordShape SHAPE = new RecordShape("nvmlMemory");
        static final Field TOTAL = SHAPE.u64("total");
        static final Field FREE = SHAPE.u64("free");
        static final Field USED = SHAPE.u64("used");
        static final int BYTES = USED.end();
    }

    /** nvmlProcessInfo_t, the same in versions 2 and 3. */
    private static final class ProcessInfo {
        private static final RecordShape SHAPE = new RecordShape("nvmlProcessInfo");
        static final Field PID = SHAPE.u32("pid");
        static final Field USED = SHAPE.u64("usedGpuMemory");
        static final int BYTES = USED.end() + 2 * Integer.BYTES;
    }

    private final Optional<NativeLibrary> nvml;

    /** Devices through this library: a name for the loader, or a path. */
    NvmlInventory(String library) {
        this.nvml = load(library);
    }

    @Override
    public synchronized List<DeviceFacts> devices() {
        if (nvml.isEmpty() || !call("nvmlInit_v2")) {
            return List.of();
        }
        try (Memory count = new Memory(Integer.BYTES)) {
            List<DeviceFacts> devices = new ArrayList<>();
            if (call("nvmlDeviceGetCount_v2", count)) {
                for (int i = 0; i < count.getInt(0); i++) {
                    device(i).ifPresent(devices::add);
                }
            }
            return devices;
        } finally {
            call("nvmlShutdown");
        }
    }

    private static Optional<NativeLibrary> load(String library) {
        try {
            return Optional.of(NativeLibrary.getInstance(library));
        } catch (UnsatisfiedLinkError e) {
            // No NVIDIA driver here.
            return Optional.empty();
        }
    }

    private Optional<DeviceFacts> device(int index) {
        try (Memory handle = new Memory(Native.POINTER_SIZE);
                Memory name = new Memory(NAME_BYTES);
                Memory memory = new Memory(MemoryInfo.BYTES)) {
            if (!call("nvmlDeviceGetHandleByIndex_v2", index, handle)) {
                return Optional.empty();
            }
            Pointer device = handle.getPointer(0);
            boolean known = call("nvmlDeviceGetName", device, name, NAME_BYTES)
                    && call("nvmlDeviceGetMemoryInfo", device, memory);
            return known
                    ? Optional.of(new DeviceFacts(
                            index,
                            name.getString(0, "UTF-8"),
                            memory.getLong(MemoryInfo.TOTAL.offset()),
                            memory.getLong(MemoryInfo.FREE.offset()),
                            processes(device)))
                    : Optional.empty();
        }
    }

    private List<DeviceHolder> processes(Pointer device) {
        int room = FIRST_ROOM;
        while (room <= MOST_PROCESSES) {
            try (Memory count = new Memory(Integer.BYTES);
                    Memory infos = new Memory((long) room * ProcessInfo.BYTES)) {
                count.setInt(0, room);
                int status = runningProcesses(device, count, infos);
                if (status != INSUFFICIENT_SIZE) {
                    return status == SUCCESS ? holders(infos, Math.min(room, count.getInt(0))) : List.of();
                }
                room *= 2;
            }
        }
        return List.of();
    }

    private int runningProcesses(Pointer device, Memory count, Memory infos) {
        Function running = function("nvmlDeviceGetComputeRunningProcesses_v3")
                .or(() -> function("nvmlDeviceGetComputeRunningProcesses_v2"))
                .orElse(null);
        return running == null ? -1 : running.invokeInt(new Object[] {device, count, infos});
    }

    private static List<DeviceHolder> holders(Memory infos, int count) {
        List<DeviceHolder> holders = new ArrayList<>(Math.max(0, count));
        for (int i = 0; i < count; i++) {
            long at = (long) i * ProcessInfo.BYTES;
            long used = infos.getLong(at + ProcessInfo.USED.offset());
            holders.add(new DeviceHolder(
                    Integer.toUnsignedLong(infos.getInt(at + ProcessInfo.PID.offset())),
                    used == NOT_AVAILABLE ? OptionalLong.empty() : OptionalLong.of(used)));
        }
        return holders;
    }

    private boolean call(String name, Object... arguments) {
        return function(name).map(f -> f.invokeInt(arguments) == SUCCESS).orElse(false);
    }

    /** A function of the library; drivers differ in which versions of it they have. */
    private Optional<Function> function(String name) {
        try {
            return nvml.map(library -> library.getFunction(name));
        } catch (UnsatisfiedLinkError e) {
            return Optional.empty();
        }
    }
}
