package dev.lacuna.bridge.differential;

import dev.lacuna.core.memory.MemoryCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Feeds both homes of the algorithm the same commands and compares every placement and every counter. A disagreement is
 * reported with the shortest command list found that still shows it.
 */
final class Differential {
    /** Counters are compared after each piece of this many commands; in a report, after each command. */
    private static final int PIECE = 97;

    /** Enough to bring thousands of commands down to a readable list. */
    private static final int SHRINKING_RUNS = 4000;

    private final Setting setting;

    Differential(Setting setting) {
        this.setting = setting;
    }

    /** A disagreement: after how many commands, and what each home says. */
    record Mismatch(int commands, Object model, Object agent) {}

    /** Fails with a short reproduction when the homes disagree. */
    void assertAgreement(List<Command> commands) {
        if (compare(commands, PIECE).isEmpty()) {
            return;
        }
        Optional<Mismatch> exact = compare(commands, 1);
        List<Command> shortest =
                exact.isPresent() ? shrink(commands.subList(0, exact.get().commands())) : commands;
        throw new AssertionError(report(shortest));
    }

    private Optional<Mismatch> compare(List<Command> commands, int piece) {
        try (Home model = new ModelHome(setting);
                Home agent = new NativeHome(setting)) {
            for (int from = 0; from < commands.size(); from += piece) {
                List<Command> part = commands.subList(from, Math.min(commands.size(), from + piece));
                List<Spot> ofModel = model.run(part);
                List<Spot> ofAgent = agent.run(part);
                for (int i = 0; i < part.size(); i++) {
                    if (!ofModel.get(i).equals(ofAgent.get(i))) {
                        return Optional.of(new Mismatch(from + i + 1, ofModel.get(i), ofAgent.get(i)));
                    }
                }
                MemoryCounters modelCounts = timeless(model.counters());
                MemoryCounters agentCounts = timeless(agent.counters());
                if (!modelCounts.equals(agentCounts)) {
                    return Optional.of(new Mismatch(from + part.size(), modelCounts, agentCounts));
                }
            }
        }
        return Optional.empty();
    }

    /** Drops halves, quarters … single commands as long as some disagreement remains. */
    private List<Command> shrink(List<Command> failing) {
        List<Command> shortest = new ArrayList<>(failing);
        int runs = 0;
        for (int size = shortest.size() / 2; size >= 1; size /= 2) {
            for (int at = 0; at < shortest.size() && runs < SHRINKING_RUNS; ) {
                List<Command> without = new ArrayList<>(shortest.subList(0, at));
                without.addAll(shortest.subList(Math.min(shortest.size(), at + size), shortest.size()));
                Optional<Mismatch> still = isSound(without) ? compare(without, 1) : Optional.empty();
                runs++;
                if (still.isPresent()) {
                    shortest = new ArrayList<>(without.subList(0, still.get().commands()));
                } else {
                    at += size;
                }
            }
        }
        return shortest;
    }

    /** Whether no block is allocated twice without a free between, which neither home accepts. */
    private static boolean isSound(List<Command> commands) {
        boolean[] named = new boolean[NativeHome.IDS];
        for (Command c : commands) {
            if (c.kind() == Command.Kind.ALLOC && named[c.id()]) {
                return false;
            }
            if (c.kind() == Command.Kind.ALLOC || c.kind() == Command.Kind.FREE) {
                named[c.id()] = c.kind() == Command.Kind.ALLOC;
            }
        }
        return true;
    }

    private String report(List<Command> commands) {
        StringBuilder out = new StringBuilder("the model and the agent disagree on ").append(setting);
        try (Home model = new ModelHome(setting);
                Home agent = new NativeHome(setting)) {
            for (Command c : commands) {
                out.append("\n  ")
                        .append(c)
                        .append("\t=> ")
                        .append(model.run(List.of(c)).get(0));
                Spot ofAgent = agent.run(List.of(c)).get(0);
                out.append("\tagent ").append(ofAgent);
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
                c.totalBytes(),
                c.reservedBytes(),
                c.allocatedBytes(),
                c.requestedBytes(),
                c.activeBytes(),
                c.limitBytes(),
                c.fraction(),
                c.optimisation(),
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
                c.lowestSafeLimitBytes());
    }
}
