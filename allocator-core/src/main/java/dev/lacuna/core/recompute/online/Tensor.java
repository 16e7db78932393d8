package dev.lacuna.core.recompute.online;

import java.util.ArrayList;
import java.util.List;

/** A value that a program named: a storage, or a view of one. Views are gone with their storage and made again. */
final class Tensor {
    final OperatorCall call;
    /** Which output of the call. */
    final int index;

    final Storage storage;
    final Tensor[] parents;
    /** All outputs of the call, this one included. */
    Tensor[] outputs = {};

    final List<Tensor> children = new ArrayList<>();
    boolean defined;

    Tensor(OperatorCall call, int index, Storage storage, Tensor[] parents) {
        this.call = call;
        this.index = index;
        this.storage = storage;
        this.parents = parents;
    }
}
