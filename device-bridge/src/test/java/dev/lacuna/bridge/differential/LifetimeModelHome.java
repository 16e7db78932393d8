package dev.lacuna.bridge.differential;

import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.core.allocator.mindspeed.LifetimePoolAllocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.PoolUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The readable Java model of MindSpeed's pools, told as the agent tells it: a live process begins where set-up has made its
 * recorder, a request of no bytes gets no block, and segments count as the stock pools'.
 */
final class LifetimeModelHome implements Home {
    private final LifetimePoolAllocator allocator;

    LifetimeModelHome(Setting setting) {
        allocator = new LifetimePoolAllocator(new Device(setting.capacityBytes(), setting.rangeBytes()));
        allocator.setOutsideBytes(setting.otherBytes());
        allocator.phase(Phase.FORWARD, true);
        allocator.phase(Phase.FORWARD, false);
    }

    @Override
    public List<Optional<HostedPlacement>> run(List<Command> commands) {
        List<Optional<HostedPlacement>> placements = new ArrayList<>(commands.size());
        for (Command c : commands) {
            placements.add(run(c));
        }
        return placements;
    }

    private Optional<HostedPlacement> run(Command c) {
        switch (c.kind()) {
            case ALLOC -> {
                boolean placed = c.value() > 0 && allocator.allocate(c.id(), c.value(), c.stream()) == Outcome.PLACED;
                return placed ? allocator.placement(c.id()).map(LifetimeModelHome::hosted) : Optional.empty();
            }
            case FREE -> allocator.free(c.id());
            case PHASE -> allocator.phase(c.phase(), c.begins());
            case EMPTY_CACHE -> allocator.emptyCache();
            case LIMIT -> allocator.limit(c.value());
            case OPTIMISATION, RECORD_STREAM, STREAM_DONE ->
                throw new IllegalArgumentException("not of this comparison: " + c);
        }
        return Optional.empty();
    }

    private static HostedPlacement hosted(Placement p) {
        String label = p.pool().label().replace("default.", "short.");
        return new HostedPlacement(PoolName.ofLabel(label).orElseThrow(), p.segment(), p.offsetBytes(), p.blockBytes());
    }

    @Override
    public MemoryCounters counters() {
        MemoryCounters c = allocator.counters();
        return new MemoryCounters(
                c.timeNs(),
                c.device(),
                c.backend(),
                c.backendIndex(),
                c.totalBytes(),
                c.reservedBytes(),
                c.allocatedBytes(),
                c.requestedBytes(),
                c.activeBytes(),
                c.limitBytes(),
                c.fraction(),
                c.optimisation(),
                PoolPolicy.LIFETIME,
                c.phases(),
                c.step(),
                c.gap(),
                c.outsideBytes(),
                asStock(c.pools()),
                c.peakAllocatedBytes(),
                c.peakReservedBytes(),
                c.lastStepPeakAllocatedBytes(),
                c.lastStepPeakReservedBytes(),
                c.allocations(),
                c.frees(),
                c.ooms(),
                c.retries(),
                c.remaps(),
                c.lastStepRemaps(),
                c.segments(),
                c.lastStepNs(),
                c.safeLimit(),
                c.swap(),
                c.cache());
    }

    private static List<PoolUsage> asStock(List<PoolUsage> pools) {
        List<PoolUsage> told = new ArrayList<>();
        for (PoolName name : PoolName.values()) {
            long reserved = 0;
            long allocated = 0;
            for (PoolUsage usage : pools) {
                boolean there = name.ordinal() == (usage.pool().endsWith(".small") ? 0 : 1);
                reserved += there ? usage.reservedBytes() : 0;
                allocated += there ? usage.allocatedBytes() : 0;
            }
            told.add(new PoolUsage(name, reserved, allocated));
        }
        return told;
    }

    @Override
    public void close() {}
}
