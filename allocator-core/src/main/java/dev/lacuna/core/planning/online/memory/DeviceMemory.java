package dev.lacuna.core.planning.online.memory;

import dev.lacuna.core.planning.online.program.OperatorCall;

/** The memory that a simulated run has. */
public interface DeviceMemory {
    /** Takes room for all outputs of a call; false, and nothing is taken, where there is too little. */
    boolean tryTake(OperatorCall call);

    /** After {@link #tryTake}: gives back those outputs that are there already, and keeps the others as storages. */
    void settle(Tensor[] outputs, boolean[] there);

    /** A storage is gone. */
    void free(Storage storage);

    /** Bytes taken. */
    long used();

    /** Free bytes directly before and after a storage; 0 where places do not count. */
    long freeBeside(Storage storage);
}
