package dev.lacuna.bridge.differential;

import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.pool.Device;
import dev.lacuna.core.pool.Outcome;
import dev.lacuna.core.pool.Placement;
import dev.lacuna.core.pool.SegregatedPoolAllocator;
import java.util.ArrayList;
import java.util.List;

/** The readable Java model. */
final class ModelHome implements Home {
    private final SegregatedPoolAllocator allocator;

    ModelHome(Setting setting) {
        Device device = new Device(setting.capacityBytes(), setting.rangeBytes());
        allocator = new SegregatedPoolAllocator(device, setting.optimisation());
        allocator.other(setting.otherBytes());
    }

    @Override
    public List<Spot> run(List<Command> commands) {
        List<Spot> spots = new ArrayList<>(commands.size());
        for (Command c : commands) {
            spots.add(run(c));
        }
        return spots;
    }

    private Spot run(Command c) {
        switch (c.kind()) {
            case ALLOC -> {
                return allocator.allocate(c.id(), c.value(), c.stream()) == Outcome.PLACED ? spot(c.id()) : Spot.NONE;
            }
            case FREE -> allocator.free(c.id());
            case PHASE -> allocator.phase(c.phase(), c.begins());
            case EMPTY_CACHE -> allocator.emptyCache();
            case OPTIMISATION -> allocator.optimisation(c.value() == 1);
            case LIMIT -> allocator.limit(c.value());
            case RECORD_STREAM -> allocator.recordStream(c.id(), c.stream());
            case STREAM_DONE -> allocator.streamDone(c.stream());
        }
        return Spot.NONE;
    }

    private Spot spot(int id) {
        Placement p = allocator.placement(id).orElseThrow();
        return new Spot(p.pool().ordinal(), p.segment(), p.offsetBytes(), p.blockBytes());
    }

    @Override
    public MemoryCounters counters() {
        return allocator.counters();
    }

    @Override
    public void close() {}
}
