package dev.lacuna.core.planning.online.memory;

import dev.lacuna.core.planning.online.program.OperatorCall;

/** Memory without places: whatever is free can be used. The authors' model. */
public final class CountedMemory implements DeviceMemory {
    private final long capacity;
    private long used;

    public CountedMemory(long capacity) {
        this.capacity = capacity;
    }

    @Override
    public boolean tryTake(OperatorCall call) {
        long bytes = call.totalBytes();
        if (used + bytes > capacity) {
            return false;
        }
        used += bytes;
        return true;
    }

    @Override
    public void settle(Tensor[] outputs, boolean[] there) {
        for (int i = 0; i < outputs.length; i++) {
            if (there[i]) {
                used -= outputs[i].call.outputBytes()[i];
            }
        }
    }

    @Override
    public void free(Storage storage) {
        used -= storage.bytes;
    }

    @Override
    public long used() {
        return used;
    }

    @Override
    public long freeBeside(Storage storage) {
        return 0;
    }
}
