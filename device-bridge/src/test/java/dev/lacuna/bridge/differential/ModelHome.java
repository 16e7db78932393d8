package dev.lacuna.bridge.differential;

import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The readable Java model. */
final class ModelHome implements Home {
    private final SegregatedPoolAllocator allocator;

    ModelHome(Setting setting) {
        Device device = new Device(setting.capacityBytes(), setting.rangeBytes());
        allocator = new SegregatedPoolAllocator(device, setting.optimisation());
        allocator.setOutsideBytes(setting.otherBytes());
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
                Outcome outcome = allocator.allocate(c.id(), c.value(), c.stream());
                return outcome == Outcome.PLACED ? placement(c.id()) : Optional.empty();
            }
            case FREE -> allocator.free(c.id());
            case PHASE -> allocator.phase(c.phase(), c.begins());
            case EMPTY_CACHE -> allocator.emptyCache();
            case OPTIMISATION -> allocator.optimisation(c.value() == 1);
            case LIMIT -> allocator.limit(c.value());
            case RECORD_STREAM -> allocator.recordStream(c.id(), c.stream());
            case STREAM_DONE -> allocator.streamDone(c.stream());
        }
        return Optional.empty();
    }

    private Optional<HostedPlacement> placement(int id) {
        return allocator
                .placement(id)
                .map(p -> new HostedPlacement(
                        PoolName.ofLabel(p.pool().label()).orElseThrow(),
                        p.segment(),
                        p.offsetBytes(),
                        p.blockBytes()));
    }

    @Override
    public MemoryCounters counters() {
        return allocator.counters();
    }

    @Override
    public void close() {}
}
