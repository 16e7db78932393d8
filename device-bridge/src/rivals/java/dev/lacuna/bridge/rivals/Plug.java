package dev.lacuna.bridge.rivals;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.TelemetryLayout;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Puts the agent's library behind libtorch's own CUDAPluggableAllocator in this process, and reads its counters. */
final class Plug {
    private static final int CUDA = 2; // LACUNA_BACKEND_CUDA

    private static final long FIGURES = 9 * 3 * 3; // statistics, pools, current and peak and sum

    private static final List<Field> FIELDS = List.of(
            TelemetryLayout.Device.ALLOCATIONS,
            TelemetryLayout.Device.FREES,
            TelemetryLayout.Device.OOMS,
            TelemetryLayout.Device.RETRIES,
            TelemetryLayout.Device.PEAK_ALLOCATED_BYTES,
            TelemetryLayout.Device.PEAK_RESERVED_BYTES);
    private static final List<String> RIVAL_WORDS = FIELDS.stream().map(Plug::word).toList();

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

    /** All that {@code memory_stats()} has, from the agent: {@code lacuna_report.of}, as numbers with commas. */
    String figures() {
        Memory report = new Memory(FIGURES * 8L);
        Pointer device = (Pointer) function("lacuna_served").invoke(Pointer.class, new Object[] {CUDA, 0});
        function("lacuna_statistics").invokeInt(new Object[] {device, report, FIGURES * 8L});
        return numbers(report);
    }

    /** The same from PyTorch's own allocator. */
    String rivalFigures() {
        Memory figures = new Memory(FIGURES * 8L);
        plug.getFunction("rivals_figures").invokeVoid(new Object[] {figures});
        return numbers(figures);
    }

    private static String numbers(Memory figures) {
        return LongStream.range(0, FIGURES)
                .mapToObj(i -> Long.toString(figures.getLong(i * 8L)))
                .collect(Collectors.joining(","));
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
                        .map(field -> " " + word(field) + "=" + counters.getLong(field.offset()))
                        .collect(Collectors.joining());
    }

    /** What PyTorch's own allocator counted, in the same words. */
    String rivalCounters() {
        Memory counted = new Memory(RIVAL_WORDS.size() * 8L);
        plug.getFunction("rivals_statistics").invokeVoid(new Object[] {counted});
        return "served=pytorch"
                + IntStream.range(0, RIVAL_WORDS.size())
                        .mapToObj(i -> " " + RIVAL_WORDS.get(i) + "=" + counted.getLong(i * 8L))
                        .collect(Collectors.joining());
    }

    /** {@code device.total_bytes} without its record. */
    private static String word(Field field) {
        return field.name().substring(field.name().indexOf('.') + 1);
    }

    private Function function(String name) {
        return agent.getFunction(name);
    }
}
