package dev.lacuna.core.planning.online.memory;

import dev.lacuna.core.planning.online.program.OperatorCall;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory with places: every storage needs a hole of its own size, the smallest that fits, the lowest of equals. Evicting
 * enough bytes is then not enough; they have to lie together.
 */
public final class PlacedMemory implements DeviceMemory {
    private static final long NO_PLACE = -1;

    /** One block at its address; {@code owner} is null while the call that takes it is not settled. */
    private static final class Block {
        final long end;
        Storage owner;

        Block(long end) {
            this.end = end;
        }
    }

    private final long capacity;
    private final TreeMap<Long, Block> blocks = new TreeMap<>();
    private final TreeMap<Long, Long> holes = new TreeMap<>();
    private final long[] addressOf;
    private long[] taken = {};
    private long used;

    /** @param tensors how many numbers storages have */
    public PlacedMemory(long capacity, int tensors) {
        this.capacity = capacity;
        addressOf = new long[tensors];
        if (capacity > 0) {
            holes.put(0L, capacity);
        }
    }

    @Override
    public boolean tryTake(OperatorCall call) {
        long[] places = new long[call.outputs()];
        Arrays.fill(places, NO_PLACE);
        for (int i = 0; i < places.length; i++) {
            long bytes = call.outputBytes()[i];
            if (bytes > 0) {
                places[i] = take(bytes);
                if (places[i] == NO_PLACE) {
                    for (int back = 0; back < i; back++) {
                        giveBack(places[back]);
                    }
                    return false;
                }
            }
        }
        taken = places;
        return true;
    }

    @Override
    public void settle(Tensor[] outputs, boolean[] there) {
        for (int i = 0; i < outputs.length; i++) {
            if (taken[i] == NO_PLACE) {
                continue;
            }
            if (there[i]) {
                giveBack(taken[i]);
            } else {
                blocks.get(taken[i]).owner = outputs[i].storage;
                addressOf[outputs[i].storage.id] = taken[i];
            }
        }
        taken = new long[0];
    }

    @Override
    public void free(Storage storage) {
        if (storage.bytes > 0) {
            giveBack(addressOf[storage.id]);
        }
    }

    @Override
    public long used() {
        return used;
    }

    @Override
    public long freeBeside(Storage storage) {
        if (storage.bytes == 0) {
            return 0;
        }
        long begin = addressOf[storage.id];
        Map.Entry<Long, Block> before = blocks.lowerEntry(begin);
        Long after = blocks.higherKey(begin);
        return begin
                - (before == null ? 0 : before.getValue().end)
                + (after == null ? capacity : after)
                - begin
                - storage.bytes;
    }

    /** Storages in order of address from the first one at or behind {@code address}. */
    public Iterable<Storage> from(long address) {
        return () -> blocks.tailMap(address).values().stream()
                .map(block -> block.owner)
                .iterator();
    }

    public long addressOf(Storage storage) {
        return addressOf[storage.id];
    }

    public long capacity() {
        return capacity;
    }

    private long take(long bytes) {
        long best = NO_PLACE;
        long bestSize = Long.MAX_VALUE;
        for (Map.Entry<Long, Long> hole : holes.entrySet()) {
            if (hole.getValue() >= bytes && hole.getValue() < bestSize) {
                best = hole.getKey();
                bestSize = hole.getValue();
            }
        }
        if (best != NO_PLACE) {
            holes.remove(best);
            if (bestSize > bytes) {
                holes.put(best + bytes, bestSize - bytes);
            }
            blocks.put(best, new Block(best + bytes));
            used += bytes;
        }
        return best;
    }

    private void giveBack(long address) {
        if (address == NO_PLACE) {
            return;
        }
        Block gone = blocks.remove(address);
        used -= gone.end - address;
        long begin = address;
        long end = gone.end;
        Map.Entry<Long, Long> before = holes.lowerEntry(address);
        if (before != null && before.getKey() + before.getValue() == begin) {
            begin = before.getKey();
        }
        Long behind = holes.remove(end);
        if (behind != null) {
            end += behind;
        }
        holes.put(begin, end - begin);
    }
}
