package dev.lacuna.bridge.wire;

import dev.lacuna.core.base.counters.PoolName;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The telemetry file's layout, version 3: the mirror of {@code native/include/lacuna.h}, with the same names in the same
 * order. A test compares every offset with the C compiler's.
 */
public final class TelemetryLayout {
    /** The bytes {@code LACUNA01}, little endian. */
    public static final long MAGIC = 0x3130414e5543414cL;

    /** Versions that this reader understands: the current one and those before, whose files have 0 where it tells more. */
    public static final Set<Integer> VERSIONS = Set.of(1, 2, 3);

    /** The first version whose records tell the device's own number. */
    static final int NAMED_SINCE = 3;

    /** Devices that the header has room for. */
    public static final int MAX_DEVICES = 16;

    /** Longest out-of-memory message, bytes. */
    public static final int OOM_TEXT_BYTES = 2048;

    /**
     * The largest event ring that is believed: 32 MiB of events, sixteen times what agents make today. It bounds what a
     * damaged file can make a reader allocate.
     */
    public static final int MAX_EVENT_CAPACITY = 1 << 20;

    /** Longest request line of the control protocol, bytes with its newline. */
    public static final int LINE_BYTES = 512;

    private TelemetryLayout() {}

    /** Every field and every whole record, named as {@code lacuna_layout()} names them. */
    public static List<Field> fields() {
        return Stream.of(Header.SHAPE, Device.SHAPE, Pool.SHAPE, Event.SHAPE)
                .flatMap(shape -> Stream.concat(Stream.of(shape.whole()), shape.fields().stream()))
                .toList();
    }

    /** One event. */
    public static final class Event {
        static final RecordShape SHAPE = new RecordShape("event");
        public static final Field TIME_NS = SHAPE.u64("time_ns");
        public static final Field ADDRESS = SHAPE.u64("address");
        public static final Field SIZE = SHAPE.u64("size");
        public static final Field KIND = SHAPE.u8("kind");
        public static final Field POOL = SHAPE.u8("pool");
        public static final Field DEVICE = SHAPE.u8("device");
        public static final Field TOLD = SHAPE.u8("told");
        public static final Field STREAM = SHAPE.u32("stream");
        public static final int BYTES = SHAPE.length();

        private Event() {}
    }

    /** What one pool holds. */
    public static final class Pool {
        static final RecordShape SHAPE = new RecordShape("pool");
        public static final Field RESERVED_BYTES = SHAPE.u64("reserved_bytes");
        public static final Field ALLOCATED_BYTES = SHAPE.u64("allocated_bytes");
        public static final int BYTES = SHAPE.length();
        public static final int COUNT = PoolName.values().length;

        private Pool() {}
    }

    /** One device's counters. */
    public static final class Device {
        static final RecordShape SHAPE = new RecordShape("device");
        public static final Field SEQUENCE = SHAPE.u64("sequence");
        public static final Field BACKEND = SHAPE.u32("backend");
        public static final Field INDEX = SHAPE.u32("index");
        public static final Field TIME_NS = SHAPE.u64("time_ns");
        public static final Field TOTAL_BYTES = SHAPE.u64("total_bytes");
        public static final Field RESERVED_BYTES = SHAPE.u64("reserved_bytes");
        public static final Field ALLOCATED_BYTES = SHAPE.u64("allocated_bytes");
        public static final Field REQUESTED_BYTES = SHAPE.u64("requested_bytes");
        public static final Field ACTIVE_BYTES = SHAPE.u64("active_bytes");
        public static final Field LIMIT_BYTES = SHAPE.u64("limit_bytes");
        public static final Field FRACTION = SHAPE.u64("fraction");
        public static final Field OPTIMISATION = SHAPE.u32("optimisation");
        public static final Field PHASES = SHAPE.u32("phases");
        public static final Field STEP = SHAPE.u64("step");
        public static final Field RELEASABLE_BYTES = SHAPE.u64("releasable_bytes");
        public static final Field SPLIT_BYTES = SHAPE.u64("split_bytes");
        public static final Field PENDING_BYTES = SHAPE.u64("pending_bytes");
        public static final Field OUTSIDE_BYTES = SHAPE.u64("outside_bytes");
        public static final Field POOLS = SHAPE.records("pools", Pool.COUNT, Pool.SHAPE);
        public static final Field PEAK_ALLOCATED_BYTES = SHAPE.u64("peak_allocated_bytes");
        public static final Field PEAK_RESERVED_BYTES = SHAPE.u64("peak_reserved_bytes");
        public static final Field LAST_STEP_PEAK_ALLOCATED_BYTES = SHAPE.u64("last_step_peak_allocated_bytes");
        public static final Field LAST_STEP_PEAK_RESERVED_BYTES = SHAPE.u64("last_step_peak_reserved_bytes");
        public static final Field ALLOCATIONS = SHAPE.u64("allocations");
        public static final Field FREES = SHAPE.u64("frees");
        public static final Field OOMS = SHAPE.u64("ooms");
        public static final Field RETRIES = SHAPE.u64("retries");
        public static final Field REMAPS = SHAPE.u64("remaps");
        public static final Field LAST_STEP_REMAPS = SHAPE.u64("last_step_remaps");
        public static final Field SEGMENTS = SHAPE.u64("segments");
        public static final Field LAST_STEP_NS = SHAPE.u64("last_step_ns");
        public static final Field LOWEST_SAFE_LIMIT_BYTES = SHAPE.u64("lowest_safe_limit_bytes");
        public static final Field SWAP = SHAPE.u32("swap");
        public static final Field MOVE_NS;
        public static final Field HOST_BUDGET_BYTES;
        public static final Field HOST_USED_BYTES;
        public static final Field SWAPPING_OUT_BYTES;
        public static final Field SWAPPING_IN_BYTES;
        public static final Field SWAPPED_OUT_BYTES;
        public static final Field SWAPPED_IN_BYTES;
        public static final Field COPY_NS;
        public static final Field STALL_NS;
        public static final Field RESCUES;
        public static final Field RESCUED_BYTES;
        public static final Field COPY_FAILURES;
        public static final Field HOST_REFUSALS;
        public static final Field BACKEND_INDEX;
        public static final Field SAFE_BASIS;
        public static final Field SAFE_SPREAD_BYTES;
        public static final Field SAFE_STEPS;
        public static final Field POLICY;
        public static final Field CACHE_TOLD;
        public static final Field FINISH_NS;
        public static final Field CACHE_BYTES;
        public static final Field BACKEND_WORD;
        public static final Field RELEASE_LOW_NS;
        public static final Field RELEASE_HIGH_NS;
        public static final int BYTES = 512;

        static {
            MOVE_NS = SHAPE.u32("move_ns");
            HOST_BUDGET_BYTES = SHAPE.u64("host_budget_bytes");
            HOST_USED_BYTES = SHAPE.u64("host_used_bytes");
            SWAPPING_OUT_BYTES = SHAPE.u64("swapping_out_bytes");
            SWAPPING_IN_BYTES = SHAPE.u64("swapping_in_bytes");
            SWAPPED_OUT_BYTES = SHAPE.u64("swapped_out_bytes");
            SWAPPED_IN_BYTES = SHAPE.u64("swapped_in_bytes");
            COPY_NS = SHAPE.u64("copy_ns");
            STALL_NS = SHAPE.u64("stall_ns");
            RESCUES = SHAPE.u64("rescues");
            RESCUED_BYTES = SHAPE.u64("rescued_bytes");
            COPY_FAILURES = SHAPE.u64("copy_failures");
            HOST_REFUSALS = SHAPE.u64("host_refusals");
            BACKEND_INDEX = SHAPE.u32("backend_index");
            SAFE_BASIS = SHAPE.u32("safe_basis");
            SAFE_SPREAD_BYTES = SHAPE.u64("safe_spread_bytes");
            SAFE_STEPS = SHAPE.u32("safe_steps");
            POLICY = SHAPE.u32("policy");
            CACHE_TOLD = SHAPE.u32("cache_told");
            FINISH_NS = SHAPE.u32("finish_ns");
            CACHE_BYTES = SHAPE.bytes("cache_bytes", 3 * Long.BYTES);
            BACKEND_WORD = SHAPE.bytes("backend_word", 16);
            RELEASE_LOW_NS = SHAPE.u32("release_low_ns");
            RELEASE_HIGH_NS = SHAPE.u32("release_high_ns");
            SHAPE.skipTo(BYTES);
        }

        private Device() {}
    }

    /** The header before the event ring. */
    public static final class Header {
        static final RecordShape SHAPE = new RecordShape("header");
        public static final Field MAGIC = SHAPE.u64("magic");
        public static final Field LAYOUT_VERSION = SHAPE.u32("layout_version");
        public static final Field HEADER_BYTES = SHAPE.u32("header_bytes");
        public static final Field FILE_BYTES = SHAPE.u64("file_bytes");
        public static final Field PID = SHAPE.u32("pid");
        public static final Field UID = SHAPE.u32("uid");
        public static final Field PROCESS_START_TICKS = SHAPE.u64("process_start_ticks");
        public static final Field START_REALTIME_NS = SHAPE.u64("start_realtime_ns");
        public static final Field START_MONOTONIC_NS = SHAPE.u64("start_monotonic_ns");
        public static final Field EVENT_BYTES = SHAPE.u32("event_bytes");
        public static final Field EVENT_CAPACITY = SHAPE.u32("event_capacity");
        public static final Field RING_OFFSET = SHAPE.u64("ring_offset");
        public static final Field DEVICE_COUNT = SHAPE.u32("device_count");
        public static final Field DEVICE_STRIDE = SHAPE.u32("device_stride");
        public static final Field DEVICES_OFFSET = SHAPE.u64("devices_offset");
        public static final Field AGENT_STATE = SHAPE.u32("agent_state");
        public static final Field AGENT_VERSION;
        public static final Field EVENT_HEAD;
        public static final Field COMMAND;
        public static final Field DEVICES;
        public static final Field OOM_TIME_NS;
        public static final Field OOM_DEVICE;
        public static final Field OOM_TEXT_LENGTH;
        public static final Field OOM_TEXT;
        public static final Field PID_NAMESPACE;
        public static final Field MOUNT_NAMESPACE;
        public static final Field MEMORY_KILLS;
        public static final Field ENDING;
        public static final Field BOOT_ID;
        public static final Field ENDING_TEXT;
        public static final Field KILLS_FILE;
        public static final Field RUN;
        public static final int BYTES = 16384;

        /** Value of {@link #AGENT_STATE} after the agent has closed its telemetry. */
        public static final int AGENT_EXITED = 2;

        /** Values of {@link #ENDING}; 0 is "not told". */
        static final int FINISHED = 1;

        static final int INTERRUPTED = 2;
        static final int EXCEPTION = 3;

        private static final int CACHE_LINE = 64;

        static {
            SHAPE.skipTo(AGENT_STATE.end() + Integer.BYTES);
            AGENT_VERSION = SHAPE.bytes("agent_version", 32);
            SHAPE.skipTo(2 * CACHE_LINE);
            EVENT_HEAD = SHAPE.u64("event_head");
            SHAPE.skipTo(3 * CACHE_LINE);
            COMMAND = SHAPE.bytes("command", 832);
            DEVICES = SHAPE.records("devices", MAX_DEVICES, Device.SHAPE);
            OOM_TIME_NS = SHAPE.u64("oom_time_ns");
            OOM_DEVICE = SHAPE.u32("oom_device");
            OOM_TEXT_LENGTH = SHAPE.u32("oom_text_length");
            OOM_TEXT = SHAPE.bytes("oom_text", OOM_TEXT_BYTES);
            PID_NAMESPACE = SHAPE.u64("pid_namespace");
            MOUNT_NAMESPACE = SHAPE.u64("mount_namespace");
            MEMORY_KILLS = SHAPE.u64("memory_kills");
            ENDING = SHAPE.u32("ending");
            SHAPE.skipTo(ENDING.end() + Integer.BYTES);
            BOOT_ID = SHAPE.bytes("boot_id", 40);
            ENDING_TEXT = SHAPE.bytes("ending_text", 96);
            KILLS_FILE = SHAPE.bytes("kills_file", 1024);
            RUN = SHAPE.bytes("run", 1024);
            SHAPE.skipTo(BYTES);
        }

        private Header() {}
    }
}
