package dev.lacuna.bridge.differential;

import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Feeds both homes of the algorithm the same commands and compares every placement and every counter. A disagreement is
 * reported with the shortest command list found that still shows it.
 */
final class Differential {
    /** Counters are compared after each piece of this many commands. */
    private static final int PIECE = 97;

    /** Enough to bring thousands of commands down to a readable list. */
    private static final int SHRINKING_RUNS = 4000;

    private final Setting setting;

    Differential(Setting setting) {
        this.setting = setting;
    }

    /**
     * Fails with a short reproduction when the homes disagree.
     *
     * @param commands a list that stays sound whatever is left out of it: no id is allocated twice
     */
    void assertAgreement(String origin, List<Command> commands) {
        if (disagreement(commands, PIECE).isEmpty()) {
            return;
        }
        throw new AssertionError(origin + ": " + report(shrink(commands)));
    }

    /** After how many commands the homes are known to disagree; empty when they agree to the end. */
    private OptionalInt disagreement(List<Command> commands, int piece) {
        try (Home model = setting.model();
                Home agent = new NativeHome(setting)) {
            for (int from = 0; from < commands.size(); from += piece) {
                List<Command> part = commands.subList(from, Math.min(commands.size(), from + piece));
                List<Optional<HostedPlacement>> ofModel = model.run(part);
                List<Optional<HostedPlacement>> ofAgent = agent.run(part);
                for (int i = 0; i < part.size(); i++) {
                    if (!ofModel.get(i).equals(ofAgent.get(i))) {
                        return OptionalInt.of(from + i + 1);
                    }
                }
                if (!timeless(model.counters()).equals(timeless(agent.counters()))) {
                    return OptionalInt.of(from + part.size());
                }
            }
        }
        return OptionalInt.empty();
    }

    /** Drops halves, quarters … single commands as long as some disagreement remains. */
    private List<Command> shrink(List<Command> failing) {
        List<Command> shortest = new ArrayList<>(failing);
        int runs = 0;
        for (int size = shortest.size() / 2; size >= 1; size /= 2) {
            for (int at = 0; at < shortest.size() && runs < SHRINKING_RUNS; ) {
                List<Command> without = new ArrayList<>(shortest.subList(0, at));
                without.addAll(shortest.subList(Math.min(shortest.size(), at + size), shortest.size()));
                OptionalInt still = disagreement(without, PIECE);
                runs++;
                if (still.isPresent()) {
                    shortest = new ArrayList<>(without.subList(0, still.getAsInt()));
                } else {
                    at += size;
                }
            }
        }
        return shortest.subList(0, disagreement(shortest, 1).orElse(shortest.size()));
    }

    private String report(List<Command> commands) {
        StringBuilder out = new StringBuilder("the model and the agent disagree on ").append(setting);
        try (Home model = setting.model();
                Home agent = new NativeHome(setting)) {
            for (Command c : commands) {
                out.append("\n  ").append(c).append("\t=> ");
                out.append(model.run(List.of(c)).get(0)).append("\tagent ");
                out.append(agent.run(List.of(c)).get(0));
            }
            out.append("\nmodel: ").append(timeless(model.counters()));
            out.append("\nagent: ").append(timeless(agent.counters()));
        }
        return out.toString();
    }

    /** Without clocks, which a model has not. */
    private static MemoryCounters timeless(MemoryCounters c) {
        return new MemoryCounters(
                0,
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
                c.policy(),
                c.phases(),
                c.step(),
                c.gap(),
                c.outsideBytes(),
                c.pools(),
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
                OptionalLong.empty(),
                c.safeLimit(),
                c.swap(),
                Optional.empty());
    }
}
