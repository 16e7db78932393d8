package dev.lacuna.core.planning.online.program;

import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A recorded training step: operator calls, and when the framework took and dropped references. Immutable. */
public final class OperatorProgram {
    /** More bytes in all than any sum over storages can overflow with. */
    static final long MOST_BYTES = 1L << 60;
    /** More nanoseconds in all than any sum over costs can overflow with: twelve days. */
    static final long MOST_NS = 1L << 50;

    /** What a step of the program does. */
    public enum Action {
        CALL,
        RETAIN,
        PIN,
        RELEASE
    }

    private final List<OperatorCall> calls;
    private final Action[] actions;
    private final int[] subjects;
    private final int tensors;

    private OperatorProgram(Builder from) {
        calls = List.copyOf(from.calls);
        actions = from.actions.toArray(new Action[0]);
        subjects = Arrays.copyOf(from.subjects, actions.length);
        tensors = from.tensors;
    }

    /** Operator calls, constants included. */
    public int operators() {
        return calls.size();
    }

    /** Tensors that the calls produce, views included. */
    public int tensors() {
        return tensors;
    }

    /** Time of all calls without any recomputation, nanoseconds. */
    public long computeNs() {
        return calls.stream().mapToLong(OperatorCall::costNs).sum();
    }

    /** Bytes of weights, inputs and whatever else the model brings along. */
    public long constantBytes() {
        return calls.stream()
                .filter(OperatorCall::constant)
                .mapToLong(OperatorCall::totalBytes)
                .sum();
    }

    /**
     * Peak in bytes with unlimited memory, where each storage is given back with its last reference: what budgets are
     * fractions of.
     */
    public long peakBytes() {
        StorageTable storages = new StorageTable(this);
        long live = 0;
        long peak = 0;
        for (int i = 0; i < length(); i++) {
            switch (action(i)) {
                case CALL -> {
                    OperatorCall call = call(i);
                    live += call.totalBytes();
                    peak = Math.max(peak, live);
                    storages.produced(call);
                }
                case RETAIN -> storages.retained(subject(i));
                case RELEASE -> live -= storages.released(subject(i));
                case PIN -> {}
            }
        }
        return peak;
    }

    public int length() {
        return actions.length;
    }

    public Action action(int step) {
        return actions[step];
    }

    /** The tensor of a step that is no call. */
    public int subject(int step) {
        return subjects[step];
    }

    public OperatorCall call(int step) {
        return calls.get(subjects[step]);
    }

    /** A chain as the program that a framework without any plan would run. */
    public static OperatorProgram of(ChainProfile chain) {
        return new ChainProgram(chain).program();
    }

    /** A graph as the program that runs it in its order. */
    public static OperatorProgram of(GraphProfile graph) {
        return new GraphProgram(graph).program();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** References per storage while a program runs in unlimited memory. */
    private static final class StorageTable {
        private final int[] storageOf;
        private final int[] references;
        private final long[] bytes;

        StorageTable(OperatorProgram program) {
            storageOf = new int[program.tensors];
            references = new int[program.tensors];
            bytes = new long[program.tensors];
        }

        void produced(OperatorCall call) {
            for (int i = 0; i < call.outputs(); i++) {
                int tensor = call.firstOutput() + i;
                int viewed = call.aliasOf()[i];
                storageOf[tensor] = viewed < 0 ? tensor : storageOf[call.inputs()[viewed]];
                if (viewed < 0) {
                    bytes[tensor] = call.outputBytes()[i];
                }
                references[storageOf[tensor]]++;
            }
        }

        void retained(int tensor) {
            references[storageOf[tensor]]++;
        }

        long released(int tensor) {
            int storage = storageOf[tensor];
            return --references[storage] == 0 ? bytes[storage] : 0;
        }
    }

    /** Collects a program and refuses what no framework could have recorded. */
    public static final class Builder {
        private final List<OperatorCall> calls = new ArrayList<>();
        private final List<Action> actions = new ArrayList<>();
        private int[] subjects = new int[64];
        private int[] references = new int[64];
        private int[] storageOf = new int[64];
        private long[] bytes = new long[64];
        private int tensors;
        private long allBytes;
        private long allNs;

        /** Bytes of the storage behind a tensor. */
        long storageBytes(int tensor) {
            return bytes[storageOf[tensor]];
        }

        /** Adds a call and returns the number of its first output; each output begins with one reference. */
        public int call(String name, long costNs, int[] inputs, long[] outputBytes, int[] aliasOf) {
            OperatorCall call = new OperatorCall(name, costNs, inputs, tensors, outputBytes, aliasOf);
            if (outputBytes.length == 0) {
                throw new IllegalArgumentException(name + " produces nothing");
            }
            if (costNs < 0 || costNs > MOST_NS - allNs) {
                throw new IllegalArgumentException("times are negative or too large");
            }
            allNs += costNs;
            for (int input : inputs) {
                if (references[storageOf[input]] <= 0) {
                    throw new IllegalArgumentException(name + " reads a tensor that was released");
                }
            }
            for (int i = 0; i < outputBytes.length; i++) {
                produce(inputs, outputBytes[i], aliasOf[i]);
            }
            add(Action.CALL, calls.size());
            calls.add(call);
            return call.firstOutput();
        }

        private void produce(int[] inputs, long size, int viewed) {
            if (viewed < -1 || viewed >= inputs.length) {
                throw new IllegalArgumentException("an output is a view of an input that there is not");
            }
            if (size < 0 || viewed >= 0 && size != 0 || size > MOST_BYTES - allBytes) {
                throw new IllegalArgumentException("sizes are negative or too large");
            }
            allBytes += size;
            if (tensors == references.length) {
                references = Arrays.copyOf(references, 2 * tensors);
                storageOf = Arrays.copyOf(storageOf, 2 * tensors);
                bytes = Arrays.copyOf(bytes, 2 * tensors);
            }
            storageOf[tensors] = viewed < 0 ? tensors : storageOf[inputs[viewed]];
            bytes[tensors] = size;
            references[storageOf[tensors]]++;
            tensors++;
        }

        /** One more reference from the framework. */
        public void retain(int tensor) {
            if (references[storageOf[tensor]]++ <= 0) {
                throw new IllegalArgumentException("a tensor is used again after its release");
            }
            add(Action.RETAIN, tensor);
        }

        /** One reference less. */
        public void release(int tensor) {
            if (--references[storageOf[tensor]] < 0) {
                throw new IllegalArgumentException("a tensor is released more often than it was taken");
            }
            add(Action.RELEASE, tensor);
        }

        /** The tensor must be there from now on. */
        public void pin(int tensor) {
            add(Action.PIN, tensor);
        }

        private void add(Action action, int subject) {
            if (actions.size() == subjects.length) {
                subjects = Arrays.copyOf(subjects, 2 * subjects.length);
            }
            subjects[actions.size()] = subject;
            actions.add(action);
        }

        public OperatorProgram build() {
            return new OperatorProgram(this);
        }
    }
}
