package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import java.util.ArrayList;
import java.util.List;

/** The evicted surroundings of every storage, towards its inputs and towards what was made of it. */
final class EvictedRegions implements Surroundings {
    /** By storage number; empty where a tensor is a view. */
    private final Storage[] storages;

    private final EvictedRegion[] inputs;
    private final EvictedRegion[] users;

    EvictedRegions(int tensors) {
        storages = new Storage[tensors];
        inputs = new EvictedRegion[tensors];
        users = new EvictedRegion[tensors];
    }

    Storage storage(int id) {
        return storages[id];
    }

    /** Cost of the evicted storages that would have to be made again to make this one, nanoseconds. */
    long inputsCostNs(Storage storage) {
        return inputs[storage.id].costNs;
    }

    /** Cost of the evicted storages that need this one to be made again, nanoseconds. */
    long usersCostNs(Storage storage) {
        return users[storage.id].costNs;
    }

    @Override
    public void created(Storage storage) {
        storages[storage.id] = storage;
        inputs[storage.id] = new EvictedRegion(storage, true);
        users[storage.id] = new EvictedRegion(storage, false);
    }

    @Override
    public void evicted(Storage storage) {
        EvictedRegion before = inputs[storage.id];
        EvictedRegion after = users[storage.id];
        before.edge.forEach(id -> users[id].absorb(storage, after, this));
        after.edge.forEach(id -> inputs[id].absorb(storage, before, this));
        before.clear();
        after.clear();
    }

    @Override
    public void made(List<Storage> made) {
        IdSet above = new IdSet();
        IdSet below = new IdSet();
        for (Storage each : made) {
            users[each.id].rebuild();
            inputs[each.id].rebuild();
            inputs[each.id].edge.forEach(above::add);
            users[each.id].edge.forEach(below::add);
        }
        List<EvictedRegion> touched = new ArrayList<>();
        above.forEach(id -> touched.add(users[id]));
        below.forEach(id -> touched.add(inputs[id]));
        touched.forEach(EvictedRegion::rebuild);
    }
}
