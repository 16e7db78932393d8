package dev.lacuna.core.planning.swap.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Checks a finished schedule from the outside: only the list of transfers and the kernels' beginnings are believed, and
 * the memory in use is worked out anew.
 */
final class SwapAudit {
    private final KernelTrace trace;
    private final SwapMachine machine;
    private final SwapRun run;

    private SwapAudit(KernelTrace trace, SwapMachine machine, SwapRun run) {
        this.trace = trace;
        this.machine = machine;
        this.run = run;
    }

    static void check(KernelTrace trace, SwapMachine machine, SwapRun run) {
        SwapAudit audit = new SwapAudit(trace, machine, run);
        audit.one_transfer_per_direction_at_the_links_speed();
        audit.kernels_one_after_the_other();
        audit.everything_there_and_nothing_too_much();
    }

    private void one_transfer_per_direction_at_the_links_speed() {
        long[] busyUntil = new long[2];
        for (SwapTransfer each : run.transfers()) {
            int direction = each.out() ? 1 : 0;
            assertThat(each.beginCycles()).isGreaterThanOrEqualTo(busyUntil[direction]);
            busyUntil[direction] = each.endCycles();
            double speed = each.disk()
                    ? Math.min(machine.diskBytesPerSecond(), machine.linkBytesPerSecond())
                    : machine.linkBytesPerSecond();
            double seconds = (double) (each.endCycles() - each.beginCycles()) / machine.clockHz();
            assertThat(seconds * speed).isGreaterThanOrEqualTo(each.bytes() - 0.5);
        }
    }

    private void kernels_one_after_the_other() {
        int n = trace.kernels().size();
        for (int i = 1; i < run.kernelBegins().size(); i++) {
            assertThat(run.kernelBegins().get(i))
                    .isGreaterThanOrEqualTo(run.kernelBegins().get(i - 1)
                            + trace.kernels().get((i - 1) % n).cycles());
        }
        int steps = run.stepCycles().size();
        assertThat(run.kernelBegins()).hasSize(n * steps);
    }

    /** Time, kind (0 ends before 1 begins at the same moment), what changes. */
    private record Change(long at, int kind, Runnable what) {}

    private void everything_there_and_nothing_too_much() {
        int tensors = trace.tensors().size();
        int n = trace.kernels().size();
        int[] first = new int[tensors];
        int[] last = new int[tensors];
        Arrays.fill(first, -1);
        for (int k = 0; k < n; k++) {
            for (int t : trace.kernels().get(k).tensors()) {
                first[t] = first[t] < 0 ? k : first[t];
                last[t] = k;
            }
        }
        long[] resident = new long[tensors];
        long[] used = new long[2];
        List<Change> changes = new ArrayList<>();
        for (SwapTransfer each : run.transfers()) {
            long bytes = each.bytes();
            int t = each.tensor();
            if (each.out()) {
                changes.add(new Change(each.beginCycles(), 2, () -> resident[t] -= bytes));
                changes.add(new Change(each.endCycles(), 0, () -> used[0] -= bytes));
            } else {
                changes.add(new Change(each.beginCycles(), 2, () -> used[0] += bytes));
                changes.add(new Change(each.endCycles(), 0, () -> resident[t] += bytes));
            }
        }
        for (int i = 0; i < run.kernelBegins().size(); i++) {
            int k = i % n;
            long begin = run.kernelBegins().get(i);
            List<Integer> needs = trace.kernels().get(k).tensors();
            changes.add(new Change(
                    begin,
                    1,
                    () -> needs.forEach(t -> {
                        if (first[t] == k && !trace.tensors().get(t).global()) {
                            assertThat(resident[t]).isZero();
                            resident[t] = trace.tensors().get(t).bytes();
                            used[0] += resident[t];
                        }
                        assertThat(resident[t])
                                .as("tensor %d at kernel %d", t, k)
                                .isEqualTo(trace.tensors().get(t).bytes());
                    })));
            changes.add(new Change(
                    begin + trace.kernels().get(k).cycles(),
                    0,
                    () -> needs.forEach(t -> {
                        assertThat(resident[t]).isEqualTo(trace.tensors().get(t).bytes());
                        if (last[t] == k && !trace.tensors().get(t).global()) {
                            used[0] -= resident[t];
                            resident[t] = 0;
                        }
                    })));
        }
        changes.sort(Comparator.comparingLong(Change::at).thenComparingInt(Change::kind));
        for (Change each : changes) {
            each.what.run();
            assertThat(used[0]).isLessThanOrEqualTo(machine.deviceBytes());
        }
    }
}
