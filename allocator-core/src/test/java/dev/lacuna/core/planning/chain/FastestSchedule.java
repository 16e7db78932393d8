package dev.lacuna.core.planning.chain;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * Brute force: Dijkstra over every set of values that may be kept, for chains of up to five stages. Persistent schedules,
 * as the paper calls them: only the newest output may go when the next stage has read it; whatever else is kept stays
 * until its backward pass. Free ones may drop anything at any time.
 */
final class FastestSchedule {
    /** Bit sets of kept outputs and saved sets, the stage whose gradient is there, and the newest output. */
    private record State(int outputs, int saved, int gradient, int newest) {}

    private record Reached(State state, double time) {}

    private final ChainProfile chain;
    private final long budget;
    private final boolean persistent;
    private final PriorityQueue<Reached> queue = new PriorityQueue<>(Comparator.comparingDouble(Reached::time));
    private final Map<State, Double> best = new HashMap<>();

    private FastestSchedule(ChainProfile chain, long budget, boolean persistent) {
        this.chain = chain;
        this.budget = budget;
        this.persistent = persistent;
    }

    static OptionalDouble persistentMs(ChainProfile chain, long budget) {
        return new FastestSchedule(chain, budget, true).search();
    }

    static OptionalDouble freeMs(ChainProfile chain, long budget) {
        return new FastestSchedule(chain, budget, false).search();
    }

    private OptionalDouble search() {
        reach(new State(0, 0, chain.length() - 1, -1), 0);
        while (!queue.isEmpty()) {
            Reached next = queue.poll();
            if (next.time() > best.get(next.state())) {
                continue;
            }
            if (next.state().gradient() < 0) {
                return OptionalDouble.of(next.time());
            }
            expand(next.state(), next.time());
        }
        return OptionalDouble.empty();
    }

    private void reach(State state, double time) {
        if (time < best.getOrDefault(state, Double.POSITIVE_INFINITY)) {
            best.put(state, time);
            queue.add(new Reached(state, time));
        }
    }

    private void expand(State state, double time) {
        for (int i = 0; i < chain.length(); i++) {
            if (!persistent) {
                drop(state, time, 1 << i);
            }
            if (i == 0 || ((state.outputs() | state.saved()) & (1 << (i - 1))) != 0) {
                forward(state, time, i);
                backward(state, time, i);
            }
        }
    }

    private void drop(State state, double time, int bit) {
        if ((state.outputs() & bit) != 0) {
            reach(new State(state.outputs() & ~bit, state.saved(), state.gradient(), -1), time);
        }
        if ((state.saved() & bit) != 0) {
            reach(new State(state.outputs(), state.saved() & ~bit, state.gradient(), -1), time);
            reach(new State(state.outputs() | bit, state.saved() & ~bit, state.gradient(), -1), time);
        }
    }

    private void forward(State state, double time, int i) {
        int bit = 1 << i;
        ChainStage stage = chain.stages().get(i);
        double then = time + stage.forwardMs();
        if (((state.outputs() | state.saved()) & bit) != 0) {
            return;
        }
        if (bytes(state) + stage.outputBytes() + stage.forwardExtraBytes() <= budget) {
            reach(new State(state.outputs() | bit, state.saved(), state.gradient(), i), then);
            if (i > 0 && state.newest() == i - 1) {
                int without = state.outputs() & ~(1 << (i - 1));
                reach(new State(without | bit, state.saved(), state.gradient(), i), then);
            }
        }
        if (bytes(state) + stage.savedBytes() + stage.forwardExtraBytes() <= budget) {
            reach(new State(state.outputs(), state.saved() | bit, state.gradient(), -1), then);
        }
    }

    private void backward(State state, double time, int i) {
        int bit = 1 << i;
        ChainStage stage = chain.stages().get(i);
        boolean ready = state.gradient() == i && (state.saved() & bit) != 0;
        if (ready && bytes(state) + chain.inputOf(i) + stage.backwardExtraBytes() <= budget) {
            int outputs = i == 0 ? state.outputs() : state.outputs() & ~(1 << (i - 1));
            reach(new State(outputs, state.saved() & ~bit, i - 1, -1), time + stage.backwardMs());
        }
    }

    private long bytes(State state) {
        long sum = chain.inputBytes();
        sum += state.gradient() < 0
                ? chain.inputBytes()
                : chain.stages().get(state.gradient()).outputBytes();
        for (int i = 0; i < chain.length(); i++) {
            ChainStage stage = chain.stages().get(i);
            sum += (state.outputs() >> i & 1) * stage.outputBytes() + (state.saved() >> i & 1) * stage.savedBytes();
        }
        return sum;
    }
}
