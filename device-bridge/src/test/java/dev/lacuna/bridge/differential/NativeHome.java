package dev.lacuna.bridge.differential;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.hosted.CommandList;
import dev.lacuna.bridge.hosted.HostedAllocator;
import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.bridge.hosted.HostedSettings;
import dev.lacuna.bridge.hosted.Placements;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The C agent, hosted in this JVM on a virtual device without memory behind it. */
final class NativeHome implements Home {
    private final HostedAllocator agent;

    NativeHome(Setting setting) {
        try {
            agent = HostedAllocator.open(new HostedSettings(
                    setting.capacityBytes(),
                    1.0,
                    setting.optimisation(),
                    false,
                    setting.rangeBytes(),
                    setting.otherBytes(),
                    true,
                    setting.policy()));
        } catch (BridgeException e) {
            throw new AssertionError("the agent does not open", e);
        }
    }

    @Override
    public List<Optional<HostedPlacement>> run(List<Command> commands) {
        CommandList list = new CommandList();
        commands.forEach(c -> add(c, list));
        Placements placements = list.runOn(agent);
        return IntStream.range(0, placements.size()).mapToObj(placements::get).toList();
    }

    private static void add(Command c, CommandList to) {
        switch (c.kind()) {
            case ALLOC -> to.alloc(c.id(), c.value(), c.stream());
            case FREE -> to.free(c.id());
            case PHASE -> to.phase(c.phase(), c.begins());
            case EMPTY_CACHE -> to.emptyCache();
            case OPTIMISATION -> to.optimisation(c.value() == 1);
            case LIMIT -> to.limit(c.value());
            case RECORD_STREAM -> to.recordStream(c.id(), c.stream());
            case STREAM_DONE -> to.streamDone(c.stream());
        }
    }

    @Override
    public MemoryCounters counters() {
        return agent.counters();
    }

    @Override
    public void close() {
        agent.close();
    }
}
