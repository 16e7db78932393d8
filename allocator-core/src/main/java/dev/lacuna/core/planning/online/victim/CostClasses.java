package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.memory.Tensor;
import java.util.List;

/**
 * Evicted storages in classes that touch each other, with the cost of each class: a union-find that stands in for exact
 * surroundings. A storage that is made again leaves its class, which cannot be split, so only its cost is taken off.
 */
final class CostClasses implements Surroundings {
    /** A member of a class, or its root. */
    private static final class Node {
        Node parent;
        long costNs;
        /** Which question has counted this class already. */
        long counted;

        Node(long costNs) {
            this.costNs = costNs;
        }

        Node root() {
            Node root = this;
            while (root.parent != null) {
                root = root.parent;
            }
            Node at = this;
            while (at.parent != null) {
                Node next = at.parent;
                at.parent = root;
                at = next;
            }
            return root;
        }
    }

    /** By storage number; null while a storage is material. */
    private final Node[] classOf;

    private long question;

    CostClasses(int tensors) {
        classOf = new Node[tensors];
    }

    /** Cost of the distinct classes that touch a storage, nanoseconds. */
    long neighboursCostNs(Storage storage) {
        question++;
        long sum = 0;
        for (Tensor tensor : storage.tensors) {
            for (Tensor parent : tensor.parents) {
                sum += uncounted(parent.storage, storage);
            }
            for (Tensor child : tensor.children) {
                sum += uncounted(child.storage, storage);
            }
        }
        return sum;
    }

    private long uncounted(Storage neighbour, Storage of) {
        if (neighbour.material || neighbour == of) {
            return 0;
        }
        Node root = classOf[neighbour.id].root();
        if (root.counted == question) {
            return 0;
        }
        root.counted = question;
        return root.costNs;
    }

    @Override
    public void created(Storage storage) {
        classOf[storage.id] = new Node(0);
    }

    @Override
    public void evicted(Storage storage) {
        Node own = new Node(storage.costNs);
        classOf[storage.id] = own;
        for (Tensor tensor : storage.tensors) {
            for (Tensor parent : tensor.parents) {
                join(parent.storage, own);
            }
            for (Tensor child : tensor.children) {
                join(child.storage, own);
            }
        }
    }

    private void join(Storage neighbour, Node own) {
        if (neighbour.material) {
            return;
        }
        Node theirs = classOf[neighbour.id].root();
        Node ours = own.root();
        if (theirs != ours) {
            theirs.parent = ours;
            ours.costNs += theirs.costNs;
        }
    }

    @Override
    public void made(List<Storage> made) {
        for (Storage each : made) {
            classOf[each.id].root().costNs -= each.costNs;
            classOf[each.id] = null;
        }
    }
}
