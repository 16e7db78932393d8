package dev.lacuna.core.planning.online.memory;

import dev.lacuna.core.planning.online.program.OperatorCall;
import java.util.ArrayList;
import java.util.List;

/** A value that a program named: a storage, or a view of one. Views are gone with their storage and made again. */
public final class Tensor {
    public final OperatorCall call;
    /** Which output of the call. */
    public final int index;

    public final Storage storage;
    public final Tensor[] parents;
    /** All outputs of the call, this one included. */
    public Tensor[] outputs = {};

    public final List<Tensor> children = new ArrayList<>();
    public boolean defined;

    public Tensor(OperatorCall call, int index, Storage storage, Tensor[] parents) {
        this.call = call;
        this.index = index;
        this.storage = storage;
        this.parents = parents;
    }
}
