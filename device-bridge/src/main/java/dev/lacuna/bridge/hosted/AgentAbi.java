package dev.lacuna.bridge.hosted;

import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.RecordShape;
import dev.lacuna.bridge.wire.TelemetryLayout;

/** The records of the C ABI that never leave the process, as in {@code native/include/lacuna.h}. */
final class AgentAbi {
    static final int OK = 0;
    static final int OUT_OF_MEMORY = 1;
    static final int INVALID = 2;
    static final int WOULD_FAIL = 3;
    static final int UNKNOWN_POINTER = 4;

    private AgentAbi() {}

    /** {@code lacuna_options}. */
    static final class Options {
        private static final RecordShape SHAPE = new RecordShape("options");
        static final Field CAPACITY_BYTES = SHAPE.u64("capacity_bytes");
        static final Field FRACTION = SHAPE.u64("fraction");
        static final Field OPTIMISATION = SHAPE.u32("optimisation");
        static final Field BACKEND = SHAPE.u32("backend");
        static final Field DEVICE = SHAPE.u32("device");
        static final Field SERVE = SHAPE.u32("serve");
        static final Field RANGE_BYTES = SHAPE.u64("range_bytes");
        static final Field OTHER_BYTES = SHAPE.u64("other_bytes");
        static final Field BOOKKEEPING_ONLY = SHAPE.u32("bookkeeping_only");
        static final Field POLICY = SHAPE.u32("policy");
        static final int BYTES = POLICY.end();

        private Options() {}
    }

    /** {@code lacuna_change}. */
    static final class Changed {
        private static final RecordShape SHAPE = new RecordShape("change");
        static final Field BEFORE = SHAPE.bytes("before", TelemetryLayout.Device.BYTES);
        static final Field AFTER = SHAPE.bytes("after", TelemetryLayout.Device.BYTES);
        static final Field UNREACHED_BYTES = SHAPE.u64("unreached_bytes");
        static final Field LOWEST_SAFE_FRACTION = SHAPE.u64("lowest_safe_fraction");
        static final int BYTES = SHAPE.length();

        private Changed() {}
    }

    /** {@code lacuna_placement}. */
    static final class Placed {
        private static final RecordShape SHAPE = new RecordShape("placement");
        static final Field POOL = SHAPE.u32("pool");
        static final Field SEGMENT = SHAPE.u32("segment");
        static final Field OFFSET = SHAPE.u64("offset");
        static final Field BLOCK_BYTES = SHAPE.u64("block_bytes");
        static final int BYTES = SHAPE.length();

        private Placed() {}
    }

    /** {@code lacuna_swap_entry}. */
    static final class SwapEntry {
        private static final RecordShape SHAPE = new RecordShape("swap_entry");
        static final Field BLOCK = SHAPE.u64("block");
        static final Field ENTRY_BYTES = SHAPE.u64("bytes");
        static final Field PASS = SHAPE.u64("pass");
        static final Field COOKIE = SHAPE.u64("cookie");
        static final Field STREAM = SHAPE.u64("stream");
        static final Field LAYER = SHAPE.u32("layer");
        static final Field CONTIGUOUS = SHAPE.u32("contiguous");
        static final int BYTES = SHAPE.length();

        private SwapEntry() {}
    }

    /** {@code lacuna_layer_usage}. */
    static final class LayerUsage {
        private static final int NAME_BYTES = 96;
        private static final RecordShape SHAPE = new RecordShape("layer_usage");
        static final Field NAME = SHAPE.bytes("name", NAME_BYTES);
        static final Field BYTES_AT = SHAPE.bytes("bytes", SwapPlace.values().length * Long.BYTES);
        static final int BYTES = SHAPE.length();

        private LayerUsage() {}
    }

    /** {@code lacuna_command}. */
    static final class Command {
        private static final RecordShape SHAPE = new RecordShape("command");
        static final Field KIND = SHAPE.u32("kind");
        static final Field ID = SHAPE.u32("id");
        static final Field VALUE = SHAPE.u64("value");
        static final Field STREAM = SHAPE.u32("stream");
        static final int BYTES = STREAM.end() + Integer.BYTES;

        private Command() {}
    }
}
