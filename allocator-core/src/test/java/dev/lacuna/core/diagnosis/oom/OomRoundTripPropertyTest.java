package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random reports, printed the way each framework prints them, wrapped and prefixed, are read back whole. */
class OomRoundTripPropertyTest {
    /** Figures of a failure, each a whole number of MiB so that two decimals of MiB print it exactly. */
    record Figures(int device, int rank, long tried, long total, long allocated, long gap, long free, long allowed) {
        long reserved() {
            return allocated + gap;
        }
    }

    @Provide
    Arbitrary<Figures> figures() {
        Arbitrary<Long> mib = Arbitraries.longs().between(1, 1 << 17);
        Arbitrary<Integer> small = Arbitraries.integers().between(0, 4095);
        return Combinators.combine(small, small, mib, mib, mib, mib, mib, mib).as(Figures::new);
    }

    @Provide
    Arbitrary<Integer> widths() {
        return Arbitraries.of(28, 45, 72, 10_000);
    }

    @Property(tries = 300)
    void pytorch_in_parentheses(@ForAll("figures") Figures f, @ForAll("widths") int width) {
        OomReport report = read(
                "RuntimeError: CUDA out of memory. Tried to allocate " + p(f.tried) + " (GPU " + f.device + "; "
                        + p(f.total)
                        + " total capacity; " + p(f.allocated) + " already allocated; " + p(f.free) + " free; "
                        + p(f.allowed) + " allowed; " + p(f.reserved()) + " reserved in total by PyTorch)",
                f.rank,
                width);
        assertThat(report.framework()).isEqualTo(Framework.PYTORCH_CUDA);
        assertThat(report.device()).hasValue("GPU " + f.device);
        assertFigures(report, f);
        assertThat(report.allowedBytes()).hasValue(mib(f.allowed));
    }

    @Property(tries = 300)
    void torch_npu(@ForAll("figures") Figures f, @ForAll("widths") int width) {
        OomReport report = read(
                "RuntimeError: NPU out of memory. Tried to allocate " + p(f.tried) + " (NPU " + f.device + "; "
                        + p(f.total)
                        + " total capacity; " + p(f.allocated) + " already allocated; " + p(f.allocated)
                        + " current active; " + p(f.free) + " free; " + p(f.reserved())
                        + " reserved in total by PyTorch) If reserved memory is >> allocated memory",
                f.rank,
                width);
        assertThat(report.framework()).isEqualTo(Framework.TORCH_NPU);
        assertThat(report.device()).hasValue("NPU " + f.device);
        assertFigures(report, f);
        assertThat(report.activeBytes()).hasValue(mib(f.allocated));
    }

    @Property(tries = 300)
    void pytorch_in_sentences(@ForAll("figures") Figures f, @ForAll("widths") int width) {
        OomReport report = read(
                "torch.OutOfMemoryError: HIP out of memory. Tried to allocate " + p(f.tried) + ". GPU " + f.device
                        + " has a total capacity of " + p(f.total) + " of which " + p(f.free) + " is free. Process "
                        + f.rank + " has " + p(f.gap)
                        + " memory in use. Including non-PyTorch memory, this process has "
                        + p(f.allowed) + " memory in use. " + p(f.allowed) + " allowed; Of the allocated memory "
                        + p(f.allocated + 3)
                        + " is allocated by PyTorch, with 3.00 MiB allocated in private pools (e.g.,"
                        + " HIP Graphs), and " + p(f.gap - 3 < 0 ? 0 : f.gap - 3)
                        + " is reserved by PyTorch but unallocated.",
                f.rank,
                width);
        assertThat(report.framework()).isEqualTo(Framework.PYTORCH_ROCM);
        assertThat(report.triedBytes()).hasValue(mib(f.tried));
        assertThat(report.allocatedBytes()).hasValue(mib(f.allocated));
        assertThat(report.gapBytes()).hasValue(mib(Math.max(3, f.gap)));
        assertThat(report.processBytes()).hasValue(mib(f.allowed));
        assertThat(report.otherProcesses()).hasSize(1);
    }

    @Property(tries = 300)
    void lacuna(@ForAll("figures") Figures f, @ForAll("widths") int width) {
        OomReport report = read(
                "Lacuna out of memory. Tried to allocate " + p(f.tried) + " (virtual " + f.device + "; " + p(f.total)
                        + " total capacity; " + p(f.allocated) + " already allocated; " + p(f.allocated)
                        + " current active; " + p(f.free) + " free; " + p(f.allowed) + " allowed; " + p(f.reserved())
                        + " reserved in total by PyTorch) gap " + p(f.gap) + ": 0 bytes releasable, " + p(f.gap)
                        + " split, 0 bytes pending. Optimisation on.",
                f.rank,
                width);
        assertFigures(report, f);
        assertThat(report.gapParts().orElseThrow().splitBytes()).isEqualTo(mib(f.gap));
        assertThat(report.settings()).containsExactly(Setting.OPTIMISATION);
    }

    @Property(tries = 200)
    void others(@ForAll("figures") Figures f, @ForAll("widths") int width) {
        Map<Framework, String> messages = Map.of(
                Framework.PYTORCH_MPS,
                "MPS backend out of memory (MPS allocated: %s, other allocations: 1.00 MiB, max allowed: %s). Tried to"
                        + " allocate %s on private pool.",
                Framework.PYTORCH_CUDA_MALLOC_ASYNC,
                "Allocation on device 0 would exceed allowed memory. (out of memory) Currently allocated : %1$s Requested :"
                        + " %3$s Device limit : %2$s Free (according to CUDA): 0 bytes",
                Framework.PADDLE,
                "Out of memory error on GPU 0. Cannot allocate %3$s memory on GPU 0, %1$s memory has been allocated and"
                        + " available memory is only %2$s.");
        messages.forEach((framework, pattern) -> {
            String message = String.format(Locale.ROOT, pattern, p(f.allocated), p(f.total), p(f.tried));
            OomReport report = read(message, f.rank, width);
            assertThat(report.framework()).isEqualTo(framework);
            assertThat(report.triedBytes()).hasValue(mib(f.tried));
            assertThat(report.allocatedBytes()).hasValue(mib(f.allocated));
        });
    }

    /** The families that give little but what was tried; in bytes (%1$d) or with a unit (%2$s). */
    @Property(tries = 200)
    void families_that_tell_what_was_tried(@ForAll("figures") Figures f, @ForAll("widths") int width) {
        Map<String, Framework> messages = Map.ofEntries(
                Map.entry(
                        "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate %1$d bytes.",
                        Framework.JAX_XLA),
                Map.entry(
                        "RESOURCE_EXHAUSTED: Attempting to allocate %2$s. That was not possible. There are 1.00M free.",
                        Framework.JAX_XLA),
                Map.entry(
                        "RESOURCE_EXHAUSTED: Failed to allocate request for 1.0GiB (%1$dB) on device ordinal 0",
                        Framework.JAX_XLA),
                Map.entry(
                        "W tensorflow/core/bfc_allocator.cc:1] Allocator (GPU_0_bfc) ran out of memory trying to allocate %2$s (rounded)",
                        Framework.TENSORFLOW),
                Map.entry(
                        "E tensorflow/cuda_driver.cc:8] failed to allocate 1.0G (%1$d bytes) from device: CUDA_ERROR_OUT_OF_MEMORY",
                        Framework.TENSORFLOW),
                Map.entry(
                        "bfc_arena.cc:3 onnxruntime::BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size %1$d",
                        Framework.ONNX_RUNTIME),
                Map.entry(
                        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating %2$s on device 1: cudaMalloc failed: out of memory",
                        Framework.LLAMA_CPP_CUDA),
                Map.entry(
                        "ggml_gallocr_reserve_n: failed to allocate ROCm0 buffer of size %1$d",
                        Framework.LLAMA_CPP_ROCM),
                Map.entry(
                        "RuntimeError: Device(id:0) memory isn't enough and alloc failed, kernel name: k, alloc size: %1$dB.",
                        Framework.MINDSPORE_ASCEND),
                Map.entry(
                        "[ERROR] DEVICE(7,python):x [mindspore/ccsrc/device/gpu/a.cc:1] Current free memory size[1] is smaller than required size[%1$d].",
                        Framework.MINDSPORE_GPU),
                Map.entry(
                        "Out of Memory!!! Request memory size: %1$dB, Memory Statistic: Device HBM memory size: 32768M",
                        Framework.MINDSPORE_ASCEND),
                Map.entry(
                        "Memory_Allocation_Failure(EL0004): Failed to allocate memory. TraceBack: Call rtMalloc fail, type = 2, size:%1$d, device_id:0",
                        Framework.ASCEND_RUNTIME),
                Map.entry(
                        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate %2$s. GPU 0 has a total capacity of 1.00 GiB of which 1.00 MiB is free.",
                        Framework.PYTORCH_ROCM),
                Map.entry(
                        "torch.OutOfMemoryError: XPU out of memory. Tried to allocate %2$s. GPU 0 has a total capacity of 1.00 GiB.",
                        Framework.PYTORCH_XPU),
                Map.entry(
                        "RuntimeError: XPU out of memory. Tried to allocate %2$s (GPU 0; 1.00 GiB total capacity)",
                        Framework.IPEX_XPU),
                Map.entry(
                        "CUDA out of memory. Allocation was preemptively rejected because it would exceed per_process_memory_fraction limit. Requested size: %2$s",
                        Framework.PYTORCH_CUDA),
                Map.entry(
                        "ValueError: Free memory on device (1.00/2.00 GiB) on startup is less than desired GPU memory utilization (0.9, %2$s).",
                        Framework.VLLM),
                Map.entry(
                        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating %1$,d bytes (allocated so far: 1,024 bytes).",
                        Framework.OTHER));
        messages.forEach((pattern, framework) -> {
            OomReport report = read(String.format(Locale.ROOT, pattern, mib(f.tried), p(f.tried)), f.rank, width);
            assertThat(report.framework()).as(pattern).isEqualTo(framework);
            assertThat(report.triedBytes()).as(pattern).hasValue(mib(f.tried));
        });
    }

    private static void assertFigures(OomReport report, Figures f) {
        assertThat(report.triedBytes()).hasValue(mib(f.tried));
        assertThat(report.totalBytes()).hasValue(mib(f.total));
        assertThat(report.allocatedBytes()).hasValue(mib(f.allocated));
        assertThat(report.freeBytes()).hasValue(mib(f.free));
        assertThat(report.reservedBytes()).hasValue(mib(f.reserved()));
        assertThat(report.gapBytes()).hasValue(mib(f.gap));
    }

    private static OomReport read(String message, int rank, int width) {
        StringBuilder log = new StringBuilder("epoch 7\n");
        for (int i = 0; i < message.length(); i += width) {
            log.append("[rank").append(rank).append("]: ").append(message, i, Math.min(message.length(), i + width));
            log.append('\n');
        }
        List<OomReport> reports = OomLogReader.read(log.toString()).reports();
        assertThat(reports).as(log.toString()).hasSize(1);
        assertThat(reports.get(0).rank()).isEqualTo(OptionalInt.of(rank));
        return reports.get(0);
    }

    private static String p(long mib) {
        return String.format(Locale.ROOT, "%.2f MiB", (double) mib);
    }

    private static long mib(long n) {
        return n << 20;
    }
}
