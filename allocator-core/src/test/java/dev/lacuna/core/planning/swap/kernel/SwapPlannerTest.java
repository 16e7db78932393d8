package dev.lacuna.core.planning.swap.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.planning.swap.kernel.KernelTrace.Kernel;
import dev.lacuna.core.planning.swap.kernel.KernelTrace.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SwapPlannerTest {
    private static final long MB = 1_000_000;

    /** Clock 1 MHz, 1 MB a millisecond, a disk of half of that: a piece of 1 MB takes 1,000 cycles. */
    private static SwapMachine machine(long deviceMb, long hostMb) {
        return new SwapMachine(1_000_000, deviceMb * MB, hostMb * MB, 1e9, 0.5e9);
    }

    /** Layers forward and backward; each keeps an activation of 10 MB. */
    private static KernelTrace layers(int layers, long cycles) {
        List<Kernel> kernels = new ArrayList<>();
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            tensors.add(new Tensor(10 * MB, false));
            kernels.add(new Kernel("Layer_Forward", cycles, i == 0 ? List.of(0) : List.of(i - 1, i)));
        }
        for (int i = layers - 1; i >= 0; i--) {
            kernels.add(new Kernel("Layer_Backward", cycles, List.of(i)));
        }
        return new KernelTrace("layers", kernels, tensors);
    }

    @ParameterizedTest
    @EnumSource(SwapMethod.class)
    void what_fits_never_waits(SwapMethod method) {
        KernelTrace trace = layers(8, 1_000);
        SwapRun run = new SwapPlanner(trace, machine(80, 1_000)).plan(method).orElseThrow();
        if (method != SwapMethod.VDNN) {
            assertThat(run.shareOfIdeal()).isEqualTo(1.0);
            assertThat(run.transfers()).isEmpty();
        }
    }

    @Test
    void copies_hide_behind_kernels_that_are_long_enough() {
        KernelTrace trace = layers(8, 20_000);
        SwapRun run = new SwapPlanner(trace, machine(40, 1_000))
                .plan(SwapMethod.LACUNA)
                .orElseThrow();
        assertThat(run.shareOfIdeal()).isEqualTo(1.0);
        assertThat(run.bytesOutPerStep()).isGreaterThanOrEqualTo(40 * MB);
    }

    @Test
    void short_kernels_wait_for_the_link_and_the_bound_says_how_long() {
        KernelTrace trace = layers(8, 1_000);
        SwapPlanner planner = new SwapPlanner(trace, machine(40, 1_000));
        SwapRun run = planner.plan(SwapMethod.LACUNA).orElseThrow();
        // 40 MB have to leave and to come back: at least 40 ms each way, of which the kernels hide little.
        assertThat(planner.leastCycles()).isGreaterThan(80_000);
        assertThat(run.settledCycles()).isGreaterThanOrEqualTo(planner.leastCycles());
    }

    @Test
    void a_full_host_sends_to_the_disk() {
        KernelTrace trace = layers(8, 1_000);
        SwapRun run =
                new SwapPlanner(trace, machine(40, 20)).plan(SwapMethod.LACUNA).orElseThrow();
        assertThat(run.transfers()).anyMatch(SwapTransfer::disk).anyMatch(each -> !each.disk());
    }

    @ParameterizedTest
    @EnumSource(SwapMethod.class)
    void a_kernel_larger_than_the_device_has_no_plan(SwapMethod method) {
        assertThat(new SwapPlanner(layers(3, 10), machine(15, 100)).plan(method))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SwapMethod.class)
    void schedules_of_random_traces_keep_every_promise(SwapMethod method) {
        Random random = new Random(3);
        for (int i = 0; i < 30; i++) {
            KernelTrace trace = random(random);
            SwapMachine machine = machine(120 + random.nextInt(200), random.nextInt(300));
            SwapPlanner planner = new SwapPlanner(trace, machine);
            planner.plan(method).ifPresent(run -> {
                SwapAudit.check(trace, machine, run);
                assertThat(run.settledCycles()).isGreaterThanOrEqualTo(planner.leastCycles());
            });
        }
    }

    private static KernelTrace random(Random random) {
        List<Tensor> tensors = new ArrayList<>();
        for (int t = 0; t < 30; t++) {
            tensors.add(new Tensor((1 + random.nextInt(30)) * MB, random.nextInt(4) == 0));
        }
        List<Kernel> kernels = new ArrayList<>();
        for (int k = 0; k < 40; k++) {
            List<Integer> used = random.ints(0, 30)
                    .distinct()
                    .limit(1 + random.nextInt(3))
                    .boxed()
                    .toList();
            kernels.add(new Kernel(k < 20 ? "Some_Forward" : "Some_Backward", random.nextInt(20_000), used));
        }
        return new KernelTrace("random", kernels, tensors);
    }

    @TempDir
    Path folder;

    @Test
    void a_trace_is_read_with_its_tensors_each_once() throws IOException {
        Path file = Files.writeString(
                folder.resolve("trace.json"),
                "{\"model\":\"M\",\"batch\":4,\"tensor_table\":{\"7\":[5,1],\"3\":[6,0]},"
                        + "\"kernel_table\":[[0,\"F\",12,[7,3],[3]]]}");
        KernelTrace trace = KernelTraceReader.read(file);
        assertThat(trace.name()).isEqualTo("M 4");
        assertThat(trace.idealCycles()).isEqualTo(12);
        assertThat(trace.kernels().get(0).tensors()).containsExactly(0, 1);
        assertThat(trace.tensors()).containsExactly(new Tensor(5, true), new Tensor(6, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"tensor_table\":{},\"kernel_table\":[]}",
                "{\"tensor_table\":{\"x\":[1,0]},\"kernel_table\":[[0,\"F\",1,[],[]]]}",
                "{\"tensor_table\":{\"1\":[-1,0]},\"kernel_table\":[[0,\"F\",1,[1],[]]]}",
                "{\"tensor_table\":{\"1\":[1e30,0]},\"kernel_table\":[[0,\"F\",1,[1],[]]]}",
                "{\"tensor_table\":{\"1\":[1,0]},\"kernel_table\":[[0,\"F\",1,[2],[]]]}",
                "{\"tensor_table\":{\"1\":[1,0]},\"kernel_table\":[[0,\"F\",99999999999999999999,[1],[]]]}"
            })
    void what_is_no_trace_is_refused(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("trace.json"), text);
        assertThatThrownBy(() -> KernelTraceReader.read(file)).isInstanceOf(IOException.class);
    }

    @Test
    void the_machine_of_the_paper_moves_what_its_link_can() {
        assertThat(SwapMachine.G10.cycles(15_754_000_000L, false) / 1.2e9).isCloseTo(1.0, within(1e-8));
        assertThat(SwapMachine.G10.cycles(3_200_000_000L, true) / 1.2e9).isCloseTo(1.0, within(1e-8));
    }
}
