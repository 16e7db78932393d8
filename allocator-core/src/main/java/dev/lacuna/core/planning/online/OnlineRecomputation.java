package dev.lacuna.core.planning.online;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.online.OnlineRun.Outcome;
import dev.lacuna.core.planning.online.memory.CountedMemory;
import dev.lacuna.core.planning.online.memory.DeviceMemory;
import dev.lacuna.core.planning.online.memory.PlacedMemory;
import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.memory.Tensor;
import dev.lacuna.core.planning.online.program.OperatorCall;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.online.victim.EvictionPool;
import dev.lacuna.core.planning.online.victim.SearchShortcuts;
import dev.lacuna.core.planning.online.victim.Surroundings;
import dev.lacuna.core.planning.online.victim.VictimChoice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs a recorded program in less memory than it took: what does not fit is evicted by a heuristic and made again when
 * it is read. Storages that the framework holds no reference to are evicted at once, but can still be made again to
 * make others (the authors' runtime "V2" with eager eviction).
 */
public final class OnlineRecomputation {
    /** Runs are given up when recomputation takes as long as the program itself: the authors' limit. */
    public static final double USUAL_LIMIT = 2.0;
    /** Calls that cost nothing could otherwise be repeated without end. */
    private static final long MOST_RECOMPUTATIONS = 20_000_000;

    private final OperatorProgram program;
    private final DeviceMemory memory;
    private final Surroundings surroundings;
    private final VictimChoice choice;
    private final long recomputeLimitNs;
    private final ScheduleWatcher watcher;
    private final Patience patience;

    private final EvictionPool pool = new EvictionPool();
    private final Tensor[] tensors;
    private final long baseNs;
    /** The authors' clock starts at one. */
    private long clockNs = 1;

    private final Set<String> recomputed = new HashSet<>();
    private long recomputedNs;
    private long recomputations;
    private long evictions;
    private long peakBytes;

    /** A tensor on its way to being made; those that it still waits for are made above it on the stack. */
    private static final class Making {
        final Tensor tensor;
        final boolean again;
        final List<Tensor> missing = new ArrayList<>();
        int next;

        Making(Tensor tensor, boolean again) {
            this.tensor = tensor;
            this.again = again;
        }
    }

    private static final class GivenUp extends Exception {
        private static final long serialVersionUID = 1L;
        final Outcome outcome;

        GivenUp(Outcome outcome) {
            super(outcome.name(), null, false, false);
            this.outcome = outcome;
        }
    }

    private OnlineRecomputation(
            OperatorProgram program,
            long budgetBytes,
            EvictionHeuristic heuristic,
            SearchShortcuts shortcuts,
            boolean places,
            double limit,
            ScheduleWatcher watcher,
            Patience patience) {
        this.program = program;
        this.watcher = watcher;
        this.patience = patience;
        memory = places ? new PlacedMemory(budgetBytes, program.tensors()) : new CountedMemory(budgetBytes);
        EvictionHeuristic.Rule rule = heuristic.rule(program.tensors(), memory, shortcuts);
        surroundings = rule.surroundings();
        choice = rule.choice();
        tensors = new Tensor[program.tensors()];
        baseNs = program.computeNs();
        recomputeLimitNs = (long) (baseNs * (limit - 1));
    }

    /** The authors' own conditions: no shortcuts, memory only counted unless the heuristic looks at places, limit 2. */
    public static OnlineRun run(OperatorProgram program, long budgetBytes, EvictionHeuristic heuristic) {
        return run(program, budgetBytes, heuristic, SearchShortcuts.NONE, heuristic.needsPlaces(), USUAL_LIMIT);
    }

    /**
     * Runs a program.
     *
     * @param places whether storages have places in the budget and need holes of their size
     * @param limit the run is given up when recomputation alone takes more than {@code limit − 1} of the program's time
     */
    public static OnlineRun run(
            OperatorProgram program,
            long budgetBytes,
            EvictionHeuristic heuristic,
            SearchShortcuts shortcuts,
            boolean places,
            double limit) {
        return run(program, budgetBytes, heuristic, shortcuts, places, limit, ScheduleWatcher.NONE, Patience.endless());
    }

    /** The same, watched, and given up when patience is over. */
    public static OnlineRun run(
            OperatorProgram program,
            long budgetBytes,
            EvictionHeuristic heuristic,
            SearchShortcuts shortcuts,
            boolean places,
            double limit,
            ScheduleWatcher watcher,
            Patience patience) {
        if (heuristic.needsPlaces() && !places) {
            throw new IllegalArgumentException(heuristic.id() + " looks at places");
        }
        return new OnlineRecomputation(program, budgetBytes, heuristic, shortcuts, places, limit, watcher, patience)
                .run();
    }

    private OnlineRun run() {
        Outcome outcome = Outcome.FINISHED;
        try {
            for (int i = 0; i < program.length(); i++) {
                step(i);
            }
        } catch (GivenUp e) {
            outcome = e.outcome;
        }
        return new OnlineRun(
                outcome, clockNs, baseNs, recomputations, evictions, choice.evaluations(), peakBytes, recomputed);
    }

    private void step(int index) throws GivenUp {
        switch (program.action(index)) {
            case CALL -> call(program.call(index));
            case RETAIN -> tensors[program.subject(index)].storage.references++;
            case RELEASE -> release(tensors[program.subject(index)].storage);
            case PIN -> pin(tensors[program.subject(index)]);
        }
    }

    private void call(OperatorCall call) throws GivenUp {
        Tensor[] outputs = produce(call);
        make(outputs[0], false);
        for (Tensor each : outputs) {
            each.storage.lastUseNs = clockNs;
        }
    }

    private Tensor[] produce(OperatorCall call) {
        Tensor[] parents = new Tensor[call.inputs().length];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = tensors[call.inputs()[i]];
        }
        Tensor[] outputs = new Tensor[call.outputs()];
        for (int i = 0; i < outputs.length; i++) {
            int number = call.firstOutput() + i;
            int viewed = call.aliasOf()[i];
            Storage storage = viewed < 0 ? new Storage(number, call.outputBytes()[i]) : parents[viewed].storage;
            outputs[i] = new Tensor(call, i, storage, parents);
            outputs[i].outputs = outputs;
            tensors[number] = outputs[i];
            storage.add(outputs[i]);
            storage.references++;
            if (viewed < 0) {
                surroundings.created(storage);
            }
        }
        for (Tensor parent : parents) {
            parent.children.addAll(List.of(outputs));
        }
        return outputs;
    }

    private void release(Storage storage) {
        storage.references--;
        if (storage.references == 0 && storage.material && !storage.pinned) {
            evict(storage);
        }
    }

    private void pin(Tensor tensor) throws GivenUp {
        if (!tensor.defined) {
            make(tensor, true);
        }
        if (!tensor.storage.pinned) {
            lock(tensor.storage);
            tensor.storage.pinned = true;
        }
    }

    private void make(Tensor wanted, boolean again) throws GivenUp {
        ArrayDeque<Making> stack = new ArrayDeque<>();
        stack.push(begun(wanted, again));
        while (!stack.isEmpty()) {
            Making top = stack.getFirst();
            if (top.next < top.missing.size()) {
                Tensor parent = top.missing.get(top.next);
                if (parent.defined) {
                    lock(parent.storage);
                    top.next++;
                } else {
                    stack.push(begun(parent, true));
                }
            } else {
                finish(top);
                stack.pop();
            }
        }
    }

    /** Inputs that are there are locked first, so that making the others cannot evict them. */
    private Making begun(Tensor tensor, boolean again) {
        Making making = new Making(tensor, again);
        for (Tensor parent : tensor.parents) {
            parent.storage.lastUseNs = clockNs;
        }
        for (Tensor parent : tensor.parents) {
            if (parent.defined) {
                lock(parent.storage);
            } else {
                making.missing.add(parent);
            }
        }
        return making;
    }

    private void finish(Making making) throws GivenUp {
        OperatorCall call = making.tensor.call;
        while (!memory.tryTake(call)) {
            if (pool.size() == 0) {
                throw new GivenUp(Outcome.OUT_OF_MEMORY);
            }
            if (patience.isOver()) {
                throw new GivenUp(Outcome.OUT_OF_TIME);
            }
            for (Storage victim : choice.choose(pool, clockNs, call)) {
                evict(victim);
                evictions++;
            }
        }
        peakBytes = Math.max(peakBytes, memory.used());
        compute(making.tensor);
        for (Tensor parent : making.tensor.parents) {
            unlock(parent.storage);
        }
        if (making.again) {
            recomputedNs += call.costNs();
            recomputations++;
            recomputed.add(call.name());
        }
        if (recomputedNs > recomputeLimitNs || recomputations > MOST_RECOMPUTATIONS) {
            throw new GivenUp(Outcome.THRASHED);
        }
    }

    /** A call makes all its outputs; those that were there are thrown away. */
    private void compute(Tensor wanted) {
        clockNs += wanted.call.costNs();
        watcher.computed(wanted.call.firstOutput());
        Tensor[] outputs = wanted.outputs;
        boolean[] there = new boolean[outputs.length];
        List<Storage> made = new ArrayList<>();
        for (int i = 0; i < outputs.length; i++) {
            there[i] = outputs[i].defined;
            if (i != wanted.index && !outputs[i].storage.material) {
                made.add(outputs[i].storage);
            }
        }
        if (!wanted.storage.material) {
            made.add(wanted.storage);
        }
        memory.settle(outputs, there);
        for (Tensor each : outputs) {
            each.storage.material = true;
            each.defined = true;
        }
        made.forEach(pool::add);
        surroundings.made(made);
    }

    private void evict(Storage storage) {
        watcher.evicted(storage.id);
        storage.material = false;
        pool.remove(storage);
        memory.free(storage);
        for (Tensor each : storage.tensors) {
            each.defined = false;
        }
        surroundings.evicted(storage);
    }

    private void lock(Storage storage) {
        if (storage.locks++ == 0) {
            pool.remove(storage);
        }
    }

    private void unlock(Storage storage) {
        if (--storage.locks == 0) {
            pool.add(storage);
        }
    }
}
