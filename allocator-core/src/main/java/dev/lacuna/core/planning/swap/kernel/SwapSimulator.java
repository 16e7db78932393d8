package dev.lacuna.core.planning.swap.kernel;

import dev.lacuna.core.planning.swap.kernel.SwapState.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs steps of a trace on a machine under a policy. A kernel begins when all its pieces are on the device; a piece takes
 * its room from the beginning of its way in to the end of its way out; a direction of the link carries one piece at a
 * time. Weights begin away from the device, as in G10's own simulator.
 */
final class SwapSimulator {
    private static final long IDLE = Long.MAX_VALUE;

    private final KernelTrace trace;
    private final SwapPieces pieces;
    private final SwapMachine machine;
    private final SwapPolicy policy;
    private final SwapState state;
    private final int last;

    private final List<Long> begins = new ArrayList<>();
    private final List<Long> steps = new ArrayList<>();
    private final List<SwapTransfer> transfers = new ArrayList<>();
    private long kernelEnd = IDLE;
    private long outEnd = IDLE;
    private long inEnd = IDLE;
    private int leaving;
    private int coming;
    private long stepBegan;
    private long peak;

    private SwapSimulator(
            KernelTrace trace, SwapPieces pieces, SwapMachine machine, SwapPolicy policy, int stepsToRun) {
        this.trace = trace;
        this.pieces = pieces;
        this.machine = machine;
        this.policy = policy;
        state = new SwapState(pieces, machine);
        last = stepsToRun * pieces.kernels;
    }

    /** The run; empty when some kernel never gets its room. */
    static Optional<SwapRun> run(
            KernelTrace trace, SwapPieces pieces, SwapMachine machine, SwapPolicy policy, int steps) {
        SwapSimulator simulator = new SwapSimulator(trace, pieces, machine, policy, steps);
        simulator.putWeightsAway();
        while (simulator.state.kernel < simulator.last) {
            if (!simulator.advance()) {
                return Optional.empty();
            }
        }
        return Optional.of(new SwapRun(
                trace.idealCycles(), simulator.steps, simulator.begins, simulator.transfers, simulator.peak));
    }

    private void putWeightsAway() {
        for (int p = 0; p < pieces.count; p++) {
            if (pieces.global[p]) {
                state.place[p] = store(pieces.bytes[p]);
            }
        }
    }

    /** Where something that leaves goes to; takes the room there. */
    private Place store(long bytes) {
        if (state.hostUsed + bytes > machine.hostBytes()) {
            return Place.DISK;
        }
        state.hostUsed += bytes;
        return Place.HOST;
    }

    /** Begins all that can begin now and goes on to the next end; false when nothing is under way. */
    private boolean advance() {
        if (kernelEnd == IDLE) {
            tryKernel();
        }
        if (outEnd == IDLE) {
            tryOut();
        }
        if (inEnd == IDLE) {
            tryIn();
        }
        long next = Math.min(kernelEnd, Math.min(outEnd, inEnd));
        if (next == IDLE) {
            return false;
        }
        state.now = next;
        if (outEnd == next) {
            arriveAway();
        }
        if (inEnd == next) {
            state.place[coming] = Place.DEVICE;
            inEnd = IDLE;
        }
        if (kernelEnd == next) {
            endKernel();
        }
        return true;
    }

    private void tryKernel() {
        int kernel = state.kernel % pieces.kernels;
        for (int p : pieces.usedBy[kernel]) {
            if (!state.onDevice(p) && state.place[p] != Place.NOWHERE) {
                return;
            }
        }
        if (state.lacking() > state.free()) {
            return;
        }
        for (int p : pieces.usedBy[kernel]) {
            if (state.place[p] == Place.NOWHERE) {
                state.place[p] = Place.DEVICE;
                take(pieces.bytes[p]);
            }
        }
        state.waiting = false;
        begins.add(state.now);
        kernelEnd = state.now + trace.kernels().get(kernel).cycles();
    }

    private void take(long bytes) {
        state.used += bytes;
        peak = Math.max(peak, state.used);
        if (state.used > machine.deviceBytes()) {
            throw new IllegalStateException("more in use than the device has");
        }
    }

    private void tryOut() {
        int piece = policy.evict(state);
        if (piece == SwapPolicy.NOTHING && state.waiting && state.lacking() > state.free()) {
            piece = policy.rescue(state);
        }
        if (piece == SwapPolicy.NOTHING) {
            return;
        }
        if (!state.mayLeave(piece)) {
            throw new IllegalStateException("a policy sends away what is not there or in use");
        }
        Place to = store(pieces.bytes[piece]);
        state.place[piece] = Place.LEAVING;
        leaving = to == Place.DISK ? ~piece : piece;
        policy.leaving(piece, state);
        outEnd = begin(piece, true, to == Place.DISK);
    }

    private void arriveAway() {
        boolean disk = leaving < 0;
        int piece = disk ? ~leaving : leaving;
        state.place[piece] = disk ? Place.DISK : Place.HOST;
        state.used -= pieces.bytes[piece];
        outEnd = IDLE;
    }

    private void tryIn() {
        int piece = demanded();
        boolean late = piece != SwapPolicy.NOTHING;
        if (!late) {
            piece = policy.fetch(state);
            if (piece == SwapPolicy.NOTHING) {
                return;
            }
            if (!state.away(piece)) {
                throw new IllegalStateException("a policy brings back what is not away");
            }
            // What a waiting kernel needs is not given to others.
            long reserved = state.waiting ? state.lacking() : 0;
            if (pieces.bytes[piece] > state.free() - reserved) {
                return;
            }
        } else if (pieces.bytes[piece] > state.free()) {
            return;
        }
        boolean disk = state.place[piece] == Place.DISK;
        if (!disk) {
            state.hostUsed -= pieces.bytes[piece];
        }
        state.place[piece] = Place.COMING;
        take(pieces.bytes[piece]);
        coming = piece;
        policy.coming(piece, late, state);
        inEnd = begin(piece, false, disk);
    }

    /** A piece that the waiting kernel lacks. */
    private int demanded() {
        if (!state.waiting) {
            return SwapPolicy.NOTHING;
        }
        for (int p : pieces.usedBy[state.kernel % pieces.kernels]) {
            if (state.away(p)) {
                return p;
            }
        }
        return SwapPolicy.NOTHING;
    }

    private long begin(int piece, boolean out, boolean disk) {
        long end = state.now + machine.cycles(pieces.bytes[piece], disk);
        transfers.add(new SwapTransfer(pieces.tensorOf[piece], piece, pieces.bytes[piece], out, disk, state.now, end));
        return end;
    }

    private void endKernel() {
        int kernel = state.kernel % pieces.kernels;
        for (int p : pieces.usedBy[kernel]) {
            state.lastUse[p] = state.kernel;
            if (!pieces.global[p] && pieces.lastUse(p) == kernel) {
                state.place[p] = Place.NOWHERE;
                state.used -= pieces.bytes[p];
            }
        }
        kernelEnd = IDLE;
        state.waiting = true;
        state.kernel++;
        if (state.kernel % pieces.kernels == 0) {
            steps.add(state.now - stepBegan);
            stepBegan = state.now;
            policy.stepEnded(state);
        }
    }
}
