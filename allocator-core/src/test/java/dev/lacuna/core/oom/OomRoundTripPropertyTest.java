package dev.lacuna.core.oom;

import static org.assertj.core.api.Assertions.assertThat;

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
