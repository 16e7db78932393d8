package dev.lacuna.core.replay;

import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.plan.Lifetimes;
import dev.lacuna.core.pool.Allocator;
import dev.lacuna.core.pool.AllocatorPolicy;
import dev.lacuna.core.pool.Device;
import dev.lacuna.core.pool.Outcome;
import dev.lacuna.core.pool.Peaks;
import dev.lacuna.core.trace.AllocationTrace;
import dev.lacuna.core.trace.TraceOperation;

/** Feeds a trace to a policy on a device. A request that runs out of memory is skipped, and its free ignored. */
public final class Replay {
    private final AllocationTrace trace;
    private final ReplaySettings settings;

    /** Replays of this trace under these settings. */
    public Replay(AllocationTrace trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
    }

    /** One run. */
    public ReplayResult run(AllocatorPolicy policy) {
        return run(policy, ReplayListener.NONE);
    }

    /** One run, watched. */
    public ReplayResult run(AllocatorPolicy policy, ReplayListener listener) {
        Allocator allocator = policy.foreseeing(this::lifetimes).on(Device.ofCapacity(settings.capacityFor(trace)));
        settings.fraction().ifPresent(allocator::fraction);
        long events = 0;
        for (int row = 0; row < trace.size(); row++) {
            TraceOperation operation = trace.operation(row);
            Outcome outcome = Outcome.EMPTY;
            switch (operation) {
                case ALLOC ->
                    outcome = allocator.allocate(trace.block(row), scaled(trace.bytes(row)), trace.stream(row));
                case FREE -> allocator.free(trace.block(row));
                default -> command(operation, row, allocator);
            }
            events += operation == TraceOperation.ALLOC || operation == TraceOperation.FREE ? 1 : 0;
            listener.onRow(row, outcome, allocator);
        }
        return result(policy, allocator, events);
    }

    /** When each block of the trace lives, in rows, and what is asked for it; blocks never freed live to the end. */
    Lifetimes lifetimes() {
        Lifetimes.Builder lifetimes = Lifetimes.builder();
        for (int row = 0; row < trace.size(); row++) {
            switch (trace.operation(row)) {
                case ALLOC -> lifetimes.add(row, trace.size(), scaled(trace.bytes(row)));
                case FREE -> lifetimes.end(trace.block(row), row);
                default -> {}
            }
        }
        return lifetimes.build();
    }

    private void command(TraceOperation operation, int row, Allocator allocator) {
        switch (operation) {
            case PHASE -> allocator.phase(trace.phase(row), trace.begins(row));
            case EMPTY_CACHE -> allocator.emptyCache();
            case OTHER -> allocator.other(trace.bytes(row));
            case FRACTION -> {
                if (settings.fraction().isEmpty()) {
                    allocator.fraction(trace.fraction(row));
                }
            }
            case ALLOC, FREE, STATS -> {}
        }
    }

    /** Sizes beyond any device fail as out of memory; they must not wrap around into small ones. */
    private long scaled(long bytes) {
        return bytes > Long.MAX_VALUE / settings.scale() ? Long.MAX_VALUE : bytes * settings.scale();
    }

    private static ReplayResult result(AllocatorPolicy policy, Allocator allocator, long events) {
        MemoryCounters counters = allocator.counters();
        Peaks peaks = allocator.peaks();
        return new ReplayResult(
                policy.name(),
                events,
                peaks.requestedBytes(),
                peaks.allocatedBytes(),
                peaks.reservedBytes(),
                counters.ooms(),
                counters.retries(),
                peaks.pieces(),
                counters.remaps(),
                counters.step());
    }
}
