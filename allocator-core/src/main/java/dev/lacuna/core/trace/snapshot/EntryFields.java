package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Fields;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.StackRef;
import dev.lacuna.core.trace.snapshot.model.TraceAction;
import dev.lacuna.core.trace.snapshot.pickle.None;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotProblem;

/** The fields of one trace entry, each read once, in whatever order; what is missing or None has its usual value. */
final class EntryFields {
    private final PickleDict dict;
    private TraceAction action = TraceAction.OTHER;
    private long address;
    private long deviceFree = -1;
    private long bytes;
    private long stream;
    private long tick = SnapshotEvents.NO_TIME;
    private PoolId pool = PoolId.DEFAULT;
    private Object pools = None.NONE;
    private Object frames = None.NONE;
    private StackRef stack = new StackRef(CallStacks.EMPTY);
    private String context = "";
    private String note = "";

    EntryFields(PickleDict dict) {
        this.dict = dict;
    }

    /** Takes in one field; fields that nobody asks for are passed over. */
    void read(String key, Object value, CallStacks.Builder stacks) throws SnapshotFormatException {
        if (value == None.NONE && !key.equals("action")) {
            return;
        }
        switch (key) {
            case "action" -> action = action(value);
            case "addr" -> address = word(key, value);
            case "device_free" -> deviceFree = whole(key, value, 0);
            case "size" -> bytes = whole(key, value, 0);
            case "stream" -> stream = word(key, value);
            case "time_us" -> tick = whole(key, value, Long.MIN_VALUE);
            case "frames" -> {
                frames = value;
                stack = stacks.stack(new Fields(dict), value, key);
            }
            case "pool_id" -> {
                pools = value;
                pool = pool(key, value);
            }
            case "compile_context" -> context = text(value);
            case "user_metadata" -> note = text(value);
            default -> {}
        }
    }

    TraceAction action() {
        return action;
    }

    long address() {
        return address;
    }

    /** What the device had free, which older files tell as the address. */
    long deviceFreeOrAddress() {
        return deviceFree >= 0 ? deviceFree : address;
    }

    long bytes() {
        return bytes;
    }

    long stream() {
        return stream;
    }

    long tick() {
        return tick;
    }

    PoolId pool() {
        return pool;
    }

    /** The value that tells the pools. */
    Object pools() {
        return pools;
    }

    StackRef stack() {
        return stack;
    }

    /** The value that tells the frames. */
    Object frames() {
        return frames;
    }

    String context() {
        return context;
    }

    String note() {
        return note;
    }

    private TraceAction action(Object value) throws SnapshotFormatException {
        if (value instanceof String) {
            return TraceAction.of((String) value);
        }
        throw wrong("action");
    }

    private long word(String key, Object value) throws SnapshotFormatException {
        if (Fields.isWord(value)) {
            return ((Number) value).longValue();
        }
        throw wrong(key);
    }

    private long whole(String key, Object value, long least) throws SnapshotFormatException {
        if (value instanceof Long && (Long) value >= least) {
            return (Long) value;
        }
        throw wrong(key);
    }

    private PoolId pool(String key, Object value) throws SnapshotFormatException {
        if (value instanceof PickleList) {
            return Fields.pool((PickleList) value).orElseThrow(() -> wrong(key));
        }
        throw wrong(key);
    }

    private static String text(Object value) {
        return value instanceof String ? (String) value : "";
    }

    private SnapshotFormatException wrong(String key) {
        return new SnapshotFormatException(SnapshotProblem.WRONG_VALUE, dict.position(), key);
    }
}
