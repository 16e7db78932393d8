package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.memory.Tensor;
import java.util.ArrayDeque;

/**
 * What is evicted around a material storage in one direction: the evicted storages that can be reached without passing a
 * material one, their cost in all, and the material ones at the edge. It is kept up to date from both sides, so that a
 * score costs no walk.
 */
final class EvictedRegion {
    final IdSet interior = new IdSet();
    final IdSet edge = new IdSet();
    long costNs;

    private final Storage base;
    private final boolean towardsInputs;

    EvictedRegion(Storage base, boolean towardsInputs) {
        this.base = base;
        this.towardsInputs = towardsInputs;
    }

    void clear() {
        interior.clear();
        edge.clear();
        costNs = 0;
    }

    /** Takes in a storage of the edge that was just evicted, with what was evicted behind it. */
    void absorb(Storage evicted, EvictedRegion behind, EvictedRegions all) {
        edge.remove(evicted.id);
        behind.edge.forEach(edge::add);
        behind.interior.forEach(id -> take(id, all));
        take(evicted.id, all);
    }

    private void take(int id, EvictedRegions all) {
        if (interior.add(id)) {
            costNs += all.storage(id).costNs;
        }
    }

    /** Walks anew. */
    void rebuild() {
        clear();
        ArrayDeque<Storage> open = new ArrayDeque<>();
        open.push(base);
        while (!open.isEmpty()) {
            for (Tensor tensor : open.pop().tensors) {
                if (towardsInputs) {
                    for (Tensor parent : tensor.parents) {
                        visit(parent.storage, open);
                    }
                } else {
                    for (Tensor child : tensor.children) {
                        visit(child.storage, open);
                    }
                }
            }
        }
    }

    private void visit(Storage next, ArrayDeque<Storage> open) {
        if (next.material) {
            if (next != base) {
                edge.add(next.id);
            }
        } else if (interior.add(next.id)) {
            costNs += next.costNs;
            open.push(next);
        }
    }
}
