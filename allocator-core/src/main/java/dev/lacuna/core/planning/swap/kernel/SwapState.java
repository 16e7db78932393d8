package dev.lacuna.core.planning.swap.kernel;

import java.util.Arrays;

/** Where every piece is, as policies see it. The simulator alone changes it. */
final class SwapState {
    /** Where a piece is. */
    enum Place {
        /** Not made yet, or dead. */
        NOWHERE,
        DEVICE,
        LEAVING,
        HOST,
        DISK,
        COMING
    }

    final SwapPieces pieces;
    final SwapMachine machine;
    final Place[] place;
    /** Number of the last kernel that used a piece; -1 before the first. */
    final int[] lastUse;
    /** Number of the kernel that runs, or waits to run. */
    int kernel;
    /** Whether that kernel waits. */
    boolean waiting = true;
    /** Cycles since the beginning. */
    long now;
    /** Bytes taken on the device, those coming and leaving included. */
    long used;
    /** Bytes taken on the host. */
    long hostUsed;

    SwapState(SwapPieces pieces, SwapMachine machine) {
        this.pieces = pieces;
        this.machine = machine;
        place = new Place[pieces.count];
        lastUse = new int[pieces.count];
        Arrays.fill(place, Place.NOWHERE);
        Arrays.fill(lastUse, -1);
    }

    boolean onDevice(int piece) {
        return place[piece] == Place.DEVICE;
    }

    boolean away(int piece) {
        return place[piece] == Place.HOST || place[piece] == Place.DISK;
    }

    /** Whether the kernel that runs or waits uses the piece. */
    boolean inUse(int piece) {
        return nextUse(piece) == kernel;
    }

    /** The next kernel that uses the piece: the present one, where it does. */
    int nextUse(int piece) {
        return pieces.nextUse(piece, kernel);
    }

    boolean mayLeave(int piece) {
        return onDevice(piece) && !inUse(piece);
    }

    long free() {
        return machine.deviceBytes() - used;
    }

    /** Bytes of room that the present kernel still needs: for what it makes, and for what has to come back. */
    long lacking() {
        long sum = 0;
        for (int p : pieces.usedBy[kernel % pieces.kernels]) {
            if (place[p] == Place.NOWHERE || away(p)) {
                sum += pieces.bytes[p];
            }
        }
        return sum;
    }
}
