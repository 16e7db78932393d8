package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Fields;
import dev.lacuna.core.trace.snapshot.model.Oddities;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotWords;
import dev.lacuna.core.trace.snapshot.model.StackRef;
import dev.lacuna.core.trace.snapshot.pickle.None;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import java.util.Optional;

/** The fields of one trace entry, each read once, in whatever order; what is missing or None has its usual value. */
final class EntryFields {
    private final PickleDict dict;
    private final Oddities oddities;
    private boolean broken;
    private EventKind action = EventKind.UNKNOWN;
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

    EntryFields(PickleDict dict, Oddities oddities) {
        this.dict = dict;
        this.oddities = oddities;
    }

    /** Takes in one field; fields that nobody asks for are passed over. */
    void read(String key, Object value, CallStacks.Builder stacks) throws SnapshotFormatException {
        if (value == None.NONE && !key.equals("action")) {
            return;
        }
        switch (key) {
            case "action" -> action = action(value);
            case "addr" -> address = needed(key, value, Fields.isWord(value));
            case "device_free" -> deviceFree = told(key, value, isSize(value), -1);
            case "size" -> bytes = needed(key, value, isSize(value));
            case "stream" -> stream = told(key, value, Fields.isWord(value), 0);
            case "time_us" -> tick = told(key, value, value instanceof Long, SnapshotEvents.NO_TIME);
            case "frames" -> {
                frames = value;
                stack = stacks.stack(new Fields(dict, oddities), value, key);
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

    /** What happened; an entry of which the address or the size cannot be tells of nothing that could be placed. */
    EventKind action() {
        return broken ? EventKind.UNKNOWN : action;
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

    private EventKind action(Object value) {
        if (value instanceof String) {
            return SnapshotWords.kind((String) value);
        }
        note("action");
        return EventKind.UNKNOWN;
    }

    private static boolean isSize(Object value) {
        return value instanceof Long && (Long) value >= 0 && (Long) value <= Fields.MOST_BYTES;
    }

    private long needed(String key, Object value, boolean possible) {
        broken = broken || !possible;
        return told(key, value, possible, 0);
    }

    private long told(String key, Object value, boolean possible, long instead) {
        if (possible) {
            return ((Number) value).longValue();
        }
        note(key);
        return instead;
    }

    private PoolId pool(String key, Object value) {
        Optional<PoolId> pair = value instanceof PickleList ? Fields.pool((PickleList) value) : Optional.empty();
        if (pair.isEmpty()) {
            note(key);
        }
        return pair.orElse(PoolId.DEFAULT);
    }

    private String text(Object value) {
        return value instanceof String ? (String) value : "";
    }

    private void note(String key) {
        oddities.note(key, dict.position());
    }
}
