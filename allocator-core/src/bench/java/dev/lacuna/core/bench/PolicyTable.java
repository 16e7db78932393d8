package dev.lacuna.core.bench;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.MinimumCapacity;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * For each trace and policy: the peak reserved with twice the memory that the trace needs, the remaps that took, and the
 * smallest capacity that finishes; each over A, the peak allocated that {@code caching} reports.
 */
final class PolicyTable {
    private static final long AMPLE = 1L << 40;
    private static final double MIB = 1 << 20;

    private final List<AllocatorPolicy> policies;

    PolicyTable(List<AllocatorPolicy> policies) {
        this.policies = policies;
    }

    /** Prints the rows in Markdown as they are found. */
    void print(Map<String, AllocationTrace> traces) throws IOException {
        System.out.println("| trace | scale | A, MiB | "
                + policies.stream().map(AllocatorPolicy::name).collect(Collectors.joining(" | ")) + " |");
        System.out.println("| --- | --- | --- |" + " --- |".repeat(policies.size()));
        for (Map.Entry<String, AllocationTrace> trace : traces.entrySet()) {
            for (long scale : trace.getKey().startsWith("cpu") ? new long[] {1, 16, 64} : new long[] {1}) {
                System.out.println(row(trace.getKey(), trace.getValue(), scale));
            }
        }
    }

    private String row(String name, AllocationTrace trace, long scale) {
        ReplaySettings settings = ReplaySettings.RECORDED.scaledBy(scale).capacity(AMPLE);
        long allocated = new Replay(trace, settings)
                .run(AllocatorPolicies.named("caching").orElseThrow())
                .peakAllocatedBytes();
        String cells = policies.stream()
                .map(policy -> cell(trace, settings, policy, allocated))
                .collect(Collectors.joining(" | "));
        return String.format(Locale.ROOT, "| %s | %d | %.1f | %s |", name, scale, allocated / MIB, cells);
    }

    private static String cell(
            AllocationTrace trace, ReplaySettings settings, AllocatorPolicy policy, long allocated) {
        ReplayResult spare = new Replay(trace, settings.capacity(2 * allocated)).run(policy);
        OptionalLong least = new MinimumCapacity(trace, settings).find(policy);
        String moved = spare.remaps() > 0 ? " (" + spare.remaps() + " remaps)" : "";
        String smallest = least.isPresent()
                ? String.format(Locale.ROOT, "%.4f", least.getAsLong() / (double) allocated)
                : "none";
        return String.format(
                Locale.ROOT, "%.3f%s · %s", spare.peakReservedBytes() / (double) allocated, moved, smallest);
    }
}
