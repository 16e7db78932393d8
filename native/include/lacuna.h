/*
 * lacuna.h - the one public header of the agent: C ABI, telemetry layout, control protocol.
 *
 * Everything another program may rely on stands here and in docs/wire.md. The Java side mirrors the layout in
 * dev.lacuna.bridge.wire.TelemetryLayout; a test compares the two through lacuna_layout(). Raise
 * LACUNA_LAYOUT_VERSION on any change of the layout; readers accept the previous version.
 */
#ifndef LACUNA_H
#define LACUNA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LACUNA_API __attribute__((visibility("default")))

/* ------------------------------------------------------------------ status codes */

enum lacuna_status {
    LACUNA_OK = 0,
    LACUNA_OUT_OF_MEMORY = 1,   /* the request failed for good; lacuna_last_oom() holds the message */
    LACUNA_INVALID = 2,         /* an argument is out of range; nothing was changed */
    LACUNA_WOULD_FAIL = 3,      /* the guard refused a cap that would kill the next step; nothing was changed */
    LACUNA_UNKNOWN_POINTER = 4, /* not a live block of this allocator; nothing was changed */
    LACUNA_SYSTEM = 5           /* the operating system refused; errno of the cause is kept in errno */
};

/* ------------------------------------------------------------------ pools, phases, events: wire codes */

enum lacuna_pool {
    LACUNA_POOL_STOCK_SMALL = 0, /* PyTorch's caching rules, optimisation off */
    LACUNA_POOL_STOCK_LARGE = 1,
    LACUNA_POOL_SHORT_SMALL = 2, /* segregated, optimisation on */
    LACUNA_POOL_SHORT_LARGE = 3,
    LACUNA_POOL_LONG_SMALL = 4,
    LACUNA_POOL_LONG_LARGE = 5,
    LACUNA_POOL_COUNT = 6,
    LACUNA_POOL_NONE = 255 /* in events that concern no pool */
};

/* By whose rules lifetimes are told apart while the optimisation is on. */
enum lacuna_pool_policy {
    LACUNA_POOL_POLICY_SEGREGATED = 0, /* Lacuna's (docs/allocator.md, "Segregated") */
    LACUNA_POOL_POLICY_LIFETIME = 1    /* MindSpeed's (docs/lifetime-pools.md); its memory counts as that of the stock pools */
};

enum lacuna_phase { LACUNA_PHASE_SETUP = 0, LACUNA_PHASE_FORWARD = 1, LACUNA_PHASE_STEP = 2, LACUNA_PHASE_COUNT = 3 };

enum lacuna_backend { LACUNA_BACKEND_VIRTUAL = 1, LACUNA_BACKEND_CUDA = 2, LACUNA_BACKEND_ASCEND = 3 /* more: src/device/backends.def */ };

enum lacuna_event_kind {
    LACUNA_EVENT_ALLOC = 1,          /* size = bytes requested */
    LACUNA_EVENT_FREE = 2,           /* size = bytes requested when the block was handed out */
    LACUNA_EVENT_FREE_COMPLETED = 3, /* a pending block became free; size = block bytes */
    LACUNA_EVENT_GROW = 4,           /* the pool took size bytes from the device */
    LACUNA_EVENT_RELEASE = 5,        /* the pool gave size bytes back */
    LACUNA_EVENT_REMAP = 6,          /* size bytes of chunks moved; pool, address = destination; where told is 1: stream,
                                        signed: by how many chunks of 2 MiB it lies above the source */
    LACUNA_EVENT_PHASE = 7,          /* size = 2 * phase + (1 begin | 0 end) */
    LACUNA_EVENT_STEP = 8,           /* a step ended; size = its number from 1 */
    LACUNA_EVENT_OOM = 9,            /* size = bytes tried */
    LACUNA_EVENT_RETRY = 10,         /* cached memory was released before success; size = bytes tried */
    LACUNA_EVENT_OPTIMISATION = 11,  /* size = 1 on, 0 off */
    LACUNA_EVENT_LIMIT = 12,         /* size = new cap in bytes */
    LACUNA_EVENT_MAPPED = 13,        /* told to who begins to watch: size bytes have been of the pool; what is live there follows */
    LACUNA_EVENT_HELD = 14           /* the same of a block that was handed out before; size = bytes requested */
};

/* ------------------------------------------------------------------ telemetry file layout (little endian) */

#define LACUNA_MAGIC UINT64_C(0x3130414e5543414c) /* the bytes "LACUNA01" */
#define LACUNA_LAYOUT_VERSION 3u
#define LACUNA_HEADER_BYTES 16384u
#define LACUNA_MAX_DEVICES 16u
#define LACUNA_EVENT_CAPACITY 65536u /* power of two; 2 MiB of events */
#define LACUNA_OOM_TEXT_BYTES 2048u
#define LACUNA_RUN_BYTES 1024u
#define LACUNA_BACKEND_WORD_BYTES 16u

/* What the lowest safe limit was worked out from. */
enum lacuna_safe_basis {
    LACUNA_SAFE_PEAK_RESERVED = 0, /* fewer than two whole steps are at hand: the peak that was reserved */
    LACUNA_SAFE_REPLAYED = 1,      /* the last whole steps were replayed through the running policy */
    LACUNA_SAFE_VARYING = 2        /* the same, and their differences were allowed for: likely, not certain */
};

/* Agent state, so that a reader of a file without a process knows how it ended. */
enum lacuna_agent_state { LACUNA_AGENT_RUNNING = 1, LACUNA_AGENT_EXITED = 2 };

/* What the process itself knows of its end. One that a signal ended or that was killed had no time to tell. */
enum lacuna_ending {
    LACUNA_ENDING_UNTOLD = 0,
    LACUNA_ENDING_FINISHED = 1,    /* in good order */
    LACUNA_ENDING_INTERRUPTED = 2, /* an unhandled KeyboardInterrupt: Ctrl-C */
    LACUNA_ENDING_EXCEPTION = 3    /* another unhandled exception; ending_text is its type */
};

/* One event: 32 bytes. */
typedef struct lacuna_event {
    uint64_t time_ns; /* CLOCK_MONOTONIC */
    uint64_t address;
    uint64_t size; /* meaning by kind, see above */
    uint8_t kind;
    uint8_t pool; /* lacuna_pool, LACUNA_POOL_NONE where none applies */
    uint8_t device;
    uint8_t told; /* of moves 1: the stream field tells the source; 0 otherwise, and from agents before that */
    uint32_t stream; /* small number of the stream, 0 on hosts; of moves see LACUNA_EVENT_REMAP */
} lacuna_event;

typedef struct lacuna_pool_usage {
    uint64_t reserved_bytes;
    uint64_t allocated_bytes;
} lacuna_pool_usage;

/*
 * One device's counters: 512 bytes. `sequence` is odd while the agent writes; a reader copies the record and
 * keeps it only if sequence was even and equal before and after.
 * Invariants: releasable + split + pending = reserved - allocated; requested <= allocated <= active <= reserved;
 * the pools' reserved and allocated sum to the device's.
 */
typedef struct lacuna_device_counters {
    uint64_t sequence;
    uint32_t backend; /* lacuna_backend */
    uint32_t index;   /* its number: the place of this record in the table */
    uint64_t time_ns; /* CLOCK_MONOTONIC of the last change */
    uint64_t total_bytes;
    uint64_t reserved_bytes;
    uint64_t allocated_bytes;
    uint64_t requested_bytes;
    uint64_t active_bytes;
    uint64_t limit_bytes; /* cap on reserved = fraction * total, rounded down to a whole byte */
    double fraction;
    uint32_t optimisation; /* 0 | 1 */
    uint32_t phases;       /* bit per lacuna_phase that is open */
    uint64_t step;         /* steps that have ended */
    uint64_t releasable_bytes;
    uint64_t split_bytes;
    uint64_t pending_bytes;
    uint64_t outside_bytes; /* in use on the device, not reserved by this agent */
    lacuna_pool_usage pools[LACUNA_POOL_COUNT];
    uint64_t peak_allocated_bytes;
    uint64_t peak_reserved_bytes;
    uint64_t last_step_peak_allocated_bytes; /* 0 before the first step has ended */
    uint64_t last_step_peak_reserved_bytes;  /* 0 before the first step has ended */
    uint64_t allocations;
    uint64_t frees;
    uint64_t ooms;
    uint64_t retries;
    uint64_t remaps;           /* chunks */
    uint64_t last_step_remaps; /* chunks */
    uint64_t segments;         /* stock segments plus runs of adjacent mapped chunks */
    uint64_t last_step_ns;     /* 0 before the first step has ended */
    uint64_t lowest_safe_limit_bytes;
    /* Since layout 2; before, these bytes were 0, which is what they mean where nothing is swapped. */
    uint32_t swap;             /* lacuna_swap_mode */
    uint32_t move_ns;          /* what compaction took so far for a MiB that it moved; 0: none was moved, or an earlier agent */
    uint64_t host_budget_bytes;
    uint64_t host_used_bytes;  /* of the budget: copies that are held, rounded up to 64 KiB */
    uint64_t swapping_out_bytes;
    uint64_t swapping_in_bytes;
    uint64_t swapped_out_bytes; /* sum of all copies that have arrived */
    uint64_t swapped_in_bytes;
    uint64_t copy_ns;          /* time that copies took on the link */
    uint64_t stall_ns;         /* of it exposed: somebody waited */
    uint64_t rescues;          /* requests that got their memory from tensors swapped out for them */
    uint64_t rescued_bytes;    /* that the owners let go for requests */
    uint64_t copy_failures;
    uint64_t host_refusals;    /* the budget was exhausted */
    /* Since layout 3; before, these bytes were 0. */
    uint32_t backend_index;    /* the device's own number on its backend: GPU 0 is 0 in whatever slot of the table it stands */
    uint32_t safe_basis;       /* lacuna_safe_basis: what lowest_safe_limit_bytes was worked out from */
    uint64_t safe_spread_bytes; /* of lowest_safe_limit_bytes: allowance for steps that differ from one another */
    uint32_t safe_steps;       /* whole steps that it was worked out from */
    uint32_t policy;           /* lacuna_pool_policy; agents without it wrote 0 */
    uint32_t cache_told;       /* 1 where cache_bytes is counted; agents without it wrote 0 */
    uint32_t finish_ns;        /* what waiting for all of the device's streams took the last times; 0: never waited for, or an earlier agent */
    uint64_t cache_bytes[3];   /* under PyTorch's rules, MindSpeed's, Lacuna's: what of it goes back when others come into force, of a framework's own as the step ends */
    char backend_word[LACUNA_BACKEND_WORD_BYTES]; /* what its backend is called, as "cuda", NUL-terminated; agents without it wrote 0 */
    /* What giving a chunk of 2 MiB back takes this process, by the last times; 0: it never did, or does not know. Earlier agents wrote 0. */
    uint32_t release_low_ns;
    uint32_t release_high_ns;
} lacuna_device_counters;

/* The file's header page(s): LACUNA_HEADER_BYTES, then the event ring. */
typedef struct lacuna_header {
    uint64_t magic;
    uint32_t layout_version;
    uint32_t header_bytes;
    uint64_t file_bytes;
    uint32_t pid;
    uint32_t uid;
    uint64_t process_start_ticks; /* field 22 of /proc/PID/stat: tells a reused pid apart */
    uint64_t start_realtime_ns;   /* CLOCK_REALTIME when the agent started */
    uint64_t start_monotonic_ns;  /* CLOCK_MONOTONIC at the same moment */
    uint32_t event_bytes;         /* sizeof(lacuna_event) */
    uint32_t event_capacity;      /* power of two */
    uint64_t ring_offset;
    uint32_t device_count;
    uint32_t device_stride; /* sizeof(lacuna_device_counters) */
    uint64_t devices_offset;
    uint32_t agent_state; /* lacuna_agent_state */
    uint32_t padding0;
    char agent_version[32];
    /* offset 128: own cache line. Number of events ever written; event n lies in slot n % capacity. */
    uint64_t event_head;
    uint8_t padding1[56];
    /* offset 192 */
    char command[832]; /* the command line, words joined by blanks, cut, NUL-terminated */
    /* offset 1024 */
    lacuna_device_counters devices[LACUNA_MAX_DEVICES];
    /* offset 9216: the last out-of-memory message. oom_text_length is stored last; 0 when there was none. */
    uint64_t oom_time_ns;
    uint32_t oom_device;
    uint32_t oom_text_length;
    char oom_text[LACUNA_OOM_TEXT_BYTES];
    /* offset 11280: since layout 3; before, these bytes were 0, which is "not told". */
    uint64_t pid_namespace;   /* inode of /proc/self/ns/pid: where `pid` is a pid */
    uint64_t mount_namespace; /* inode of /proc/self/ns/mnt: where `kills_file` is a path */
    uint64_t memory_kills;    /* what `kills_file` counted when the agent started */
    uint32_t ending;          /* lacuna_ending; stored after its text */
    uint32_t padding2;
    char boot_id[40];      /* of the kernel, /proc/sys/kernel/random/boot_id */
    char ending_text[96];
    char kills_file[1024]; /* memory.events or memory.oom_control of the control group, whose oom_kill counts kills */
    char run[LACUNA_RUN_BYTES]; /* LACUNA_RUN, cut: which `lacuna run` it belongs to; empty: none, or an earlier agent */
    uint8_t padding3[LACUNA_HEADER_BYTES - 9216 - 16 - LACUNA_OOM_TEXT_BYTES - 32 - 40 - 96 - 1024 - LACUNA_RUN_BYTES];
} lacuna_header;

/* Name, offset and size of each field, ended by an entry with a NULL name; names as "header.magic",
 * "device.total_bytes", "event.kind", and "header"/"device"/"event" for whole records (offset 0). */
typedef struct lacuna_field {
    const char *name;
    uint32_t offset;
    uint32_t size;
} lacuna_field;
LACUNA_API const lacuna_field *lacuna_layout(void);

/* ------------------------------------------------------------------ the allocator as a library (JVM, tests) */

typedef struct lacuna_agent lacuna_agent;

typedef struct lacuna_options {
    uint64_t capacity_bytes; /* of the virtual device, 0 = 8 GiB; on others a cap on reserved, 0 = the whole device */
    double fraction;         /* 0 = 1.0 */
    int32_t optimisation;    /* 0 | 1 */
    int32_t backend;         /* lacuna_backend; 0 = virtual */
    int32_t device;          /* index of the device on its backend */
    int32_t serve;           /* 1 = telemetry file and control socket in the rendezvous directory */
    uint64_t range_bytes;    /* virtual addresses reserved per pool; 0 = chosen */
    uint64_t other_bytes;    /* virtual device: bytes that other processes are made to hold */
    uint32_t bookkeeping_only; /* 1 = virtual device without backing memory: addresses must not be touched (replay) */
    uint32_t policy;         /* lacuna_pool_policy, while the optimisation is on */
} lacuna_options;

/* Where a block lies: a placement is (pool, segment, offset), never an address. */
typedef struct lacuna_placement {
    uint32_t pool;        /* lacuna_pool */
    uint32_t segment;     /* stock: number of the segment in order of creation; segregated: 0 */
    uint64_t offset;      /* stock: in the segment; segregated: in the pool's virtual range. By MindSpeed's rules as stock,
                             with the pool's code for that lifetime: short stands for its default */
    uint64_t block_bytes; /* rounded size of the block */
} lacuna_placement;

/* What a change of settings did. */
typedef struct lacuna_change {
    lacuna_device_counters before;
    lacuna_device_counters after;
    uint64_t unreached_bytes; /* reserved above the new cap that live blocks hold; 0 = all reached */
    double lowest_safe_fraction;
} lacuna_change;

LACUNA_API int lacuna_open(const lacuna_options *options, lacuna_agent **out);
LACUNA_API void lacuna_close(lacuna_agent *agent);
/* Why the last lacuna_open() of this thread failed, in one sentence; "" where it did not. Valid until the next one. */
LACUNA_API const char *lacuna_open_error(void);
/* size 0 yields NULL and LACUNA_OK. `stream`: the framework's handle (CUstream, aclrtStream), 0 = the default one. */
LACUNA_API int lacuna_malloc(lacuna_agent *agent, uint64_t size, uint64_t stream, void **out);
/* NULL is accepted. */
LACUNA_API int lacuna_free(lacuna_agent *agent, void *block);
/* The block is also used on `stream`: freeing it makes it pending until lacuna_stream_done(stream), on devices with
 * real streams until the work that `stream` was given before the free is done. Without host memory for the note the free
 * waits for the whole device; on hosts the block stays pending for good (lacuna_report.unnoted_uses counts these). */
LACUNA_API int lacuna_record_stream(lacuna_agent *agent, void *block, uint64_t stream);
/* Hosts without real streams: completes what was pending on `stream`. Elsewhere it changes nothing. */
LACUNA_API int lacuna_stream_done(lacuna_agent *agent, uint64_t stream);
/* Another device of the process, by its index on the same backend, may use this one's memory from now on, all of it.
 * LACUNA_INVALID where that cannot be had. */
LACUNA_API int lacuna_allow_peer(lacuna_agent *agent, int peer);
/* Where the memory of a block lies, for another process to open it: pieces of one size, by address. */
typedef struct lacuna_shared {
    uint64_t address;     /* of the first piece, at or below the block's */
    uint64_t piece_bytes;
    uint64_t pieces;
} lacuna_shared;
/* A file descriptor for each piece, `room` of them at most in `descriptors`; they stay the agent's, which closes them as the
 * memory goes back to the device. Whoever opens one keeps the memory alive, not the block: free it when they are done. May raise
 * the process's soft limit of open files to its hard one. LACUNA_INVALID where the device's memory cannot be opened by others,
 * or no descriptor is left. */
LACUNA_API int lacuna_share(lacuna_agent *agent, const void *block, lacuna_shared *out, int *descriptors, uint64_t room);
/*
 * The framework's own allocator, where it serves beside an agent (docs/pluggable.md, "The front"): all requests while the
 * optimisation is off and nothing is swapped, and always what the agent does not serve. What it holds is counted with what
 * the agent does: in the counters, under the cap, in what is safe; not in lacuna_statistics(), which are the agent's own.
 */
typedef struct lacuna_framework_use {
    uint64_t allocated_bytes[2]; /* of its small and its large pools */
    uint64_t reserved_bytes[2];
    uint64_t requested_bytes;
    uint64_t pending_bytes; /* freed, while a stream still uses it */
    uint64_t split_bytes;   /* free, of segments that are in use elsewhere */
    uint64_t segments;
    uint64_t allocations; /* since it began */
    uint64_t frees;
    uint64_t retries;
    uint64_t ooms;
    uint64_t peak_allocated_bytes; /* as it counts them: scripts may have begun them anew */
    uint64_t peak_reserved_bytes;
} lacuna_framework_use;

/* Called by any thread, without any lock of the agent's. `reclaim` before a request fails, by the thread whose request it is. */
typedef struct lacuna_framework {
    void *context;
    int (*reclaim)(void *context, uint64_t bytes); /* gives back what it holds without using it; not 0 where any went */
    int (*measure)(void *context, lacuna_framework_use *out); /* 0 where it cannot any more */
    int (*follow)(void *context);     /* somebody looks: its blocks are told from now on; 0 where it cannot tell them */
    void (*catch_up)(void *context);  /* tells what waits to be told */
    void (*changed)(void *context);   /* the cap, or who serves, is another now */
} lacuna_framework;

enum lacuna_told_kind {
    LACUNA_TOLD_GROW = 1,    /* address, bytes of a segment, or of what was mapped of one */
    LACUNA_TOLD_RELEASE = 2, /* the same, given back */
    LACUNA_TOLD_ALLOC = 3,   /* address, bytes as requested, stream */
    LACUNA_TOLD_FREE = 4     /* address, bytes as requested, stream: when no stream uses it any more */
};
typedef struct lacuna_told {
    uint32_t kind;
    uint32_t held; /* 1: it was there before, and is counted */
    uint64_t address;
    uint64_t bytes;
    uint64_t stream;
} lacuna_told;

/* Copied. Once, before requests come. */
LACUNA_API int lacuna_set_framework(lacuna_agent *agent, const lacuna_framework *framework);
/* Whether requests are for the agent; else the framework's own allocator serves them. Takes no lock. */
LACUNA_API int lacuna_serves(const lacuna_agent *agent);
/* What it holds now is known to be that: after what it did for a request under a cap. */
LACUNA_API int lacuna_measured(lacuna_agent *agent, const lacuna_framework_use *use);
/* In the order in which it happened. */
LACUNA_API int lacuna_tell(lacuna_agent *agent, const lacuna_told *told, size_t count);
/* All have failed: the framework's words for it become those of the last out-of-memory. */
LACUNA_API int lacuna_failed(lacuna_agent *agent, uint64_t bytes, const char *text);
/* Somebody looks at the blocks. LACUNA_INVALID where no framework stands beside the agent, or where it cannot tell. */
LACUNA_API int lacuna_follow(lacuna_agent *agent);
/* Hears what waits to be told, and measures. */
LACUNA_API int lacuna_catch_up(lacuna_agent *agent);
LACUNA_API int lacuna_phase(lacuna_agent *agent, int phase, int begin);

/* Phases by name, beside the above, which move blocks: these are counted, and nothing else. A name is UTF-8, cut where it is
 * longer; what is not text in it is a question mark. The last phase takes all names that there is no room for. */
#define LACUNA_NAMED_PHASES 24u
#define LACUNA_NAME_BYTES 64u /* with the NUL */
typedef struct lacuna_named_use {
    char name[LACUNA_NAME_BYTES];
    uint32_t open; /* 0 | 1 */
    uint32_t padding;
    uint64_t open_ns; /* all time that it was open, also now */
    uint64_t peak_allocated_bytes; /* while it was open */
    uint64_t peak_reserved_bytes;
} lacuna_named_use;
LACUNA_API int lacuna_named_phase(lacuna_agent *agent, const char *name, int begin);
/* LACUNA_INVALID where there is no phase of that number, the numbers being given in the order of the first begins. */
LACUNA_API int lacuna_named_use_of(lacuna_agent *agent, uint32_t number, lacuna_named_use *out);
LACUNA_API int lacuna_empty_cache(lacuna_agent *agent);
LACUNA_API int lacuna_set_optimisation(lacuna_agent *agent, int on, lacuna_change *out);
/* lacuna_pool_policy; while the optimisation is off it holds from when that is switched on. LACUNA_SYSTEM without host memory. */
LACUNA_API int lacuna_set_policy(lacuna_agent *agent, int policy, lacuna_change *out);
LACUNA_API int lacuna_set_fraction(lacuna_agent *agent, double fraction, int force, lacuna_change *out);
LACUNA_API int lacuna_counters(lacuna_agent *agent, lacuna_device_counters *out);
/* Peaks start again from what holds now: those of the counters' whole run, and of lacuna_statistics. */
LACUNA_API int lacuna_reset_peaks(lacuna_agent *agent);
/* One of the figures of PyTorch's memory_stats(). `allocated` is the sum of all rises since the start; what was freed
 * is the rest. */
typedef struct lacuna_statistic {
    uint64_t current;
    uint64_t peak;
    uint64_t allocated;
} lacuna_statistic;
#define LACUNA_STATISTICS 27
/*
 * What PyTorch's memory_stats() counts (docs/pluggable.md). `of`: blocks, allocated bytes, requested bytes, active blocks,
 * active bytes (freed ones that a stream still uses included), segments, reserved bytes, inactive split blocks, inactive
 * split bytes, each for all pools, small pools, large pools.
 */
typedef struct lacuna_report {
    lacuna_statistic of[LACUNA_STATISTICS];
    uint64_t retries;
    uint64_t ooms;
    uint64_t stream_waits;   /* times that all streams in the way were waited for, so that memory could be had or go */
    uint64_t device_allocs;  /* times that the device was asked for memory and gave it */
    uint64_t device_frees;   /* times that the device took memory back */
    uint64_t unnoted_uses;   /* lacuna_record_stream() calls for whose note there was no host memory */
    uint64_t releasable_bytes; /* that the device can have back at once */
} lacuna_report;
/* Fills `bytes` of the report at most: a caller may know a shorter one. */
LACUNA_API int lacuna_statistics(lacuna_agent *agent, lacuna_report *out, size_t bytes);
/* A block of the agent's, or what lies free beside one. */
enum lacuna_piece_state { LACUNA_PIECE_FREE = 0, LACUNA_PIECE_LIVE = 1, LACUNA_PIECE_PENDING = 2 };
typedef struct lacuna_piece {
    uint64_t address;
    uint64_t bytes;
    uint64_t requested;     /* 0 where it is free */
    uint64_t segment_bytes; /* of the segment, or of the run of mapped chunks, that begins with this piece; else 0 */
    uint64_t stream;
    uint32_t pool;  /* lacuna_pool */
    uint32_t state; /* lacuna_piece_state */
} lacuna_piece;
/* All that is reserved, by segment and address. Returns how many pieces there are; `room` of them at most go to `out`. 0 where
 * there is nothing, or no host memory to look at it. */
LACUNA_API size_t lacuna_pieces(lacuna_agent *agent, lacuna_piece *out, size_t room);
/* Tells by events what is mapped and which blocks are live, for who watches from now on; half the ring of events at most. Returns
 * how many blocks were told. */
LACUNA_API size_t lacuna_tell_held(lacuna_agent *agent);
LACUNA_API int lacuna_place(lacuna_agent *agent, const void *block, lacuna_placement *out);
/* Message of the last out-of-memory of this agent, NUL-terminated and cut to `bytes`; its whole length is returned. */
LACUNA_API size_t lacuna_last_oom(lacuna_agent *agent, char *text, size_t bytes);
LACUNA_API const char *lacuna_version(void);

/*
 * Replays a command list without a call per command (for tests and what-ifs from Java). Each command is 24 bytes.
 * Outcomes, where `out` is not NULL, are one lacuna_placement per command; failed requests have block_bytes 0.
 * Blocks are named by `id`, which must be < `ids`. Returns LACUNA_OK also when requests ran out of memory.
 */
enum lacuna_command_kind {
    LACUNA_COMMAND_ALLOC = 1,       /* id, value = bytes, stream */
    LACUNA_COMMAND_FREE = 2,        /* id */
    LACUNA_COMMAND_PHASE = 3,       /* value = 2 * phase + begin */
    LACUNA_COMMAND_EMPTY_CACHE = 4, /* - */
    LACUNA_COMMAND_OPTIMISATION = 5,/* value = 0 | 1 */
    LACUNA_COMMAND_LIMIT = 6,       /* value = cap in bytes, forced */
    LACUNA_COMMAND_RECORD_STREAM = 7, /* id, stream */
    LACUNA_COMMAND_STREAM_DONE = 8, /* stream */
    LACUNA_COMMAND_POLICY = 9       /* value = lacuna_pool_policy */
};
typedef struct lacuna_command {
    uint32_t kind;
    uint32_t id;
    uint64_t value;
    uint32_t stream;
    uint32_t reserved;
} lacuna_command;
LACUNA_API int lacuna_replay(lacuna_agent *agent, const lacuna_command *commands, size_t count, uint32_t ids,
                             lacuna_placement *out);

/* ------------------------------------------------------------------ the process-wide agent (preload, plug-in) */

/* Phase marks of all agents of the process, called by the Python package; harmless where none runs. An agent that is
 * made later begins with the phases that are open then. */
LACUNA_API void lacuna_process_phase(int phase, int begin);
/* The same of a phase with a name; `forward` is told by the above. An agent that is made later knows those that begin from then on. */
LACUNA_API void lacuna_process_named_phase(const char *name, int begin);
/* How the process is about to end (lacuna_ending), told by the Python package at the interpreter's exit; `text` is the
 * type of an exception, or NULL. Interrupted: readers are told at once, and the files go as at an orderly end. */
LACUNA_API void lacuna_process_ending(int ending, const char *text);
/* The agent that is meant where no device is said: of the process's first accelerator, else of its host memory; NULL
 * before the first allocation that an agent serves. */
LACUNA_API lacuna_agent *lacuna_process_agent(void);
/* The process trains on an accelerator, or is about to: from now on the framework's own allocator serves host memory. */
LACUNA_API void lacuna_process_stand_aside(void);
/*
 * The process's agent for a device (lacuna_backend, index on that backend), made from the environment at the first
 * call: $LACUNA_FRACTION, $LACUNA_OPTIMISATION, $LACUNA_POLICY, $LACUNA_TELEMETRY, and $LACUNA_CAPACITY, which caps a real device's
 * memory. All agents of a process share one telemetry file and one control socket; there a device's number is its
 * place in the file's table: its index where that is free, else the lowest free one; host memory that comes after a real
 * device has the last free one. NULL where the agent cannot be
 * made, which was said once on stderr, as for a driver that a parent process had opened. Agents stay until the process
 * ends. Any thread; cheap.
 */
LACUNA_API lacuna_agent *lacuna_process_device(int backend, int index);
/* The process's agent in whose ranges an address lies, so that it can only be a block of it; NULL where none is. */
LACUNA_API lacuna_agent *lacuna_process_owner(const void *address);
/* How many agents the process has; up to `room` of them go to `out`, by their number in the table. */
LACUNA_API uint32_t lacuna_process_agents(lacuna_agent **out, uint32_t room);

/* ------------------------------------------------------------------ leaving
 *
 * A training that was taken over while it ran can be left again (docs/pluggable.md, "Leaving"): nothing new is served, what
 * outlives steps is moved back, and when the last block has come back, whoever took it over takes out what stands in the process.
 */
enum lacuna_leaving {
    LACUNA_STAYING = 0,   /* nobody has asked */
    LACUNA_HELD_BACK = 1, /* blocks are still in use, or copies of them away */
    LACUNA_FREE_TO_GO = 2
};
/* Whether it can be asked to; who says 1 takes it out. Forgets that it was asked. */
LACUNA_API void lacuna_process_may_leave(int may);
LACUNA_API int lacuna_process_can_leave(void);
/* Asks. LACUNA_INVALID where it cannot. */
LACUNA_API int lacuna_process_leave(void);
/* How far that is (lacuna_leaving); `held_bytes`, where it is given: what holds it back. */
LACUNA_API int lacuna_process_leaving(uint64_t *held_bytes);
/* The last of it: socket, thread and telemetry file go, the black box too. Agents stay, and serve again once they are asked for.
 * By a thread that holds no lock of Python's. */
LACUNA_API void lacuna_process_left(void);

/* ------------------------------------------------------------------ compaction
 *
 * After a switch, storages that outlive steps stay where they were made until somebody moves them to the side that serves now.
 * The agent keeps what was asked and what came of it; who knows storages (the Python package) moves them, between two steps.
 * docs/compaction.md.
 */
enum lacuna_compaction_state {
    LACUNA_COMPACTION_NONE = 0,
    LACUNA_COMPACTION_ASKED = 1,   /* and nobody has begun: steps are not marked, or none has ended since */
    LACUNA_COMPACTION_RUNNING = 2, /* some at each step's end */
    LACUNA_COMPACTION_DONE = 3     /* what could be moved was */
};
enum lacuna_stay { /* why a storage was not moved */
    LACUNA_STAY_SHARED = 0,   /* something refers to it that is not known: a view, what autograd has saved, a bucket */
    LACUNA_STAY_EXPORTED = 1, /* another library may hold its address: numpy, DLPack, __cuda_array_interface__, another process */
    LACUNA_STAY_FOREIGN = 2,  /* its memory is of neither side */
    LACUNA_STAY_GRAPH = 3,    /* a graph was captured, and its private pool lives */
    LACUNA_STAY_LIBRARY = 4,  /* a library is loaded that is known to keep addresses */
    LACUNA_STAY_THREADS = 5,  /* another thread was at work whenever a step ended */
    LACUNA_STAY_MEMORY = 6,   /* no room for its copy */
    LACUNA_STAY_KIND = 7,     /* not an ordinary dense tensor */
    LACUNA_STAY_DOOR = 8,     /* the pluggable allocator, which cannot exchange a storage's memory */
    LACUNA_STAYS = 9
};
typedef struct lacuna_compaction {
    uint32_t state;   /* lacuna_compaction_state */
    uint32_t at_once; /* 1: all at the next step's end; 0: a twentieth of a step's time a step */
    uint64_t steps;   /* at whose end something was moved */
    uint64_t moved;   /* storages */
    uint64_t moved_bytes;
    uint64_t left; /* storages that are still to be moved */
    uint64_t left_bytes;
    uint64_t busy_ns; /* spent on it */
    uint64_t stayed[LACUNA_STAYS];
    uint64_t stayed_bytes[LACUNA_STAYS];
} lacuna_compaction;

/* Begins anew. */
LACUNA_API int lacuna_compaction_ask(lacuna_agent *agent, int at_once);
LACUNA_API int lacuna_compaction_read(lacuna_agent *agent, lacuna_compaction *out);
/* By who moves; ignored where somebody has asked anew since `state` was read as RUNNING. */
LACUNA_API int lacuna_compaction_tell(lacuna_agent *agent, const lacuna_compaction *done);
/* Before storages move: how many bytes those above 1 MiB take, each rounded up to 512, and how long the longest block is that
 * one lies in meanwhile. While the optimisation is off they get a segment of just that size, so that they lie close. */
LACUNA_API int lacuna_compaction_prepare(lacuna_agent *agent, uint64_t bytes, uint64_t longest);
/* 1 where a block of the agent's lies on the side that does not serve now, else 0; LACUNA_UNKNOWN_POINTER for what is no block. */
LACUNA_API int lacuna_is_left_over(lacuna_agent *agent, const void *block);
/* The agents, a bit for each by its number, whose compaction is asked or running. Any thread; takes no lock. */
LACUNA_API uint32_t lacuna_process_compacting(void);

/* ------------------------------------------------------------------ swapping between device and host
 *
 * The engine copies what its user enters, keeps the host's side, and knows where everything is; it never frees device
 * memory. The user keeps a block until its copy is on the host, then lets it go, and brings a block of its own when the
 * bytes are wanted again. Tensors that share a storage are entered once. Any thread. docs/swap.md.
 *
 * A block that is freed all the same, as when a script resizes a storage, is lost to its entry: lacuna_free() waits for a
 * copy that has begun, and the entry is not copied out or rescued any more. Where the host has the bytes, it is on the
 * host, and may be let go or come into another block, after which it is as before; else nothing brings it back.
 */
enum lacuna_swap_mode {
    LACUNA_SWAP_OFF = 0, /* nothing is copied out; what is on the host comes back when it is wanted */
    LACUNA_SWAP_ON = 1,  /* as much as is needed */
    LACUNA_SWAP_ALL = 2  /* everything that can be */
};
#define LACUNA_SWAP_KEEP (-1)                  /* for lacuna_swap_set() */
#define LACUNA_SWAP_KEEP_BUDGET UINT64_MAX

/* device -> copying out -> host -> copying in -> device. A copy that fails falls back to where it came from. */
enum lacuna_swap_place {
    LACUNA_ON_DEVICE = 0,
    LACUNA_COPYING_OUT = 1, /* the block must stay */
    LACUNA_ON_HOST = 2,
    LACUNA_COPYING_IN = 3, /* the block must stay, and is not to be read */
    LACUNA_SWAP_PLACES = 4
};
typedef struct lacuna_swapped lacuna_swapped;

/* Turns swapping on or off and sets the host's budget in bytes. LACUNA_INVALID where the device cannot copy. A budget
 * below what is in use holds for what comes. */
LACUNA_API int lacuna_swap_set(lacuna_agent *agent, int mode, uint64_t budget_bytes);
LACUNA_API int lacuna_swap_mode(lacuna_agent *agent);
/* The NUMA node to which the threads of swapping and host memory for copies are bound; -1: none. Why, in one word:
 * "bound"; "virtual", "no-address", "untold", "no-processors", "refused" (docs/swap.md). */
LACUNA_API int lacuna_swap_numa(lacuna_agent *agent);
LACUNA_API const char *lacuna_swap_near(lacuna_agent *agent);
/* Binds the calling thread there, which serves swapping alone. Where nothing is bound it stays as it is. */
LACUNA_API int lacuna_swap_bind(lacuna_agent *agent);
/* Virtual device: what its link is to be like. 0 bytes per second = as fast as the machine copies. */
LACUNA_API int lacuna_swap_link(lacuna_agent *agent, uint64_t bytes_per_second, uint64_t latency_ns);
/* The number of a layer of that name; the first call makes it. At most LACUNA_SWAP_LAYERS, the last takes the rest. */
#define LACUNA_SWAP_LAYERS 1024u
#define LACUNA_LAYER_NAME_BYTES 96u
LACUNA_API int lacuna_swap_layer(lacuna_agent *agent, const char *name, uint32_t *out);
/* What of a layer is where now; LACUNA_INVALID beyond the last one. */
typedef struct lacuna_layer_usage {
    char name[LACUNA_LAYER_NAME_BYTES];
    uint64_t bytes[LACUNA_SWAP_PLACES];
} lacuna_layer_usage;
LACUNA_API int lacuna_swap_usage(lacuna_agent *agent, uint32_t layer, lacuna_layer_usage *out);

/*
 * What layers are measured and told to do (docs/swap.md). The owner of the entries measures and acts; from outside it is
 * asked for a profile and told a policy, and reads both at the beginning of each outermost forward.
 */
enum lacuna_layer_action { LACUNA_LAYER_KEEP = 1, LACUNA_LAYER_SWAP = 2, LACUNA_LAYER_RECOMPUTE = 4 };

/* Why a layer may not be recomputed, or is not yet. */
enum lacuna_layer_reason {
    LACUNA_REASON_NONE = 0,
    LACUNA_REASON_UNTRIED = 1,      /* the first step with it compares */
    LACUNA_REASON_BETWEEN = 2,      /* no layer: what runs between layers, or a function */
    LACUNA_REASON_IN_PLACE = 3,     /* it changes its input, or somebody does before backward */
    LACUNA_REASON_HOOKS = 4,        /* its hooks would be called twice */
    LACUNA_REASON_SIDE_EFFECTS = 5, /* it changes something beside tensors and buffers */
    LACUNA_REASON_ARGUMENTS = 6,    /* it is called with what may change in the meantime */
    LACUNA_REASON_CHECKPOINTED = 7, /* the framework recomputes it, or parts of it, already */
    LACUNA_REASON_COMPILED = 8,     /* its forward is not Python's */
    LACUNA_REASON_DISTRIBUTED = 9,  /* other processes would have to do the same */
    LACUNA_REASON_DIFFERENT = 10,   /* recomputed it gave other bits */
    LACUNA_REASON_FAILED = 11,
    LACUNA_REASON_THREADS = 12,     /* other threads train too: they would see what is put back for a recomputation */
    LACUNA_REASONS = 13
};

/* Means over `steps` steps, all forwards of a step together; bytes are the most of a step. */
typedef struct lacuna_layer_measurement {
    uint64_t forward_ns;
    uint64_t backward_ns; /* both without what swapping and recomputing added */
    uint64_t saved_bytes; /* kept for backward where nothing is swapped or recomputed, parameters apart */
    uint64_t input_bytes;
    uint64_t copy_out_ns; /* of what it saves, at the rate that its copies had; 0: it had none. Told, not taken */
    uint64_t copy_in_ns;
    uint32_t steps;
    uint32_t can;    /* lacuna_layer_action, as bits. Told, not taken */
} lacuna_layer_measurement;

typedef struct lacuna_profile {
    uint64_t step_ns;
    uint64_t peak_allocated_bytes;
    uint64_t other_bytes;           /* the peak of keeping everything, without what layers save */
    uint64_t link_bytes_per_second; /* taken where nothing was copied yet and no rate was set */
} lacuna_profile;

/* What the owner looks up at each outermost forward. Bits 0 and 1: lacuna_swap_mode; then: */
#define LACUNA_ASKED_PROFILE 4u
#define LACUNA_ASKED_POLICY 8u
#define LACUNA_ASKED_RULE 16u
#define LACUNA_ASKED_CHANGES_SHIFT 8u /* above: how often a policy was told */
LACUNA_API uint64_t lacuna_layers_asked(lacuna_agent *agent);

/* Asks the owner for a profile, where there is none or a fresh one is wanted. */
LACUNA_API int lacuna_profile_ask(lacuna_agent *agent, int fresh);
LACUNA_API int lacuna_profile_layer(lacuna_agent *agent, uint32_t layer, const lacuna_layer_measurement *measured);
/* Bytes that would be allocated now beside what is, if nothing were swapped or recomputed; the owner tells while it measures. */
LACUNA_API void lacuna_profile_elsewhere(lacuna_agent *agent, uint64_t bytes);
/* The most that was allocated or elsewhere at a time in the last whole step. */
LACUNA_API uint64_t lacuna_profile_kept_peak(const lacuna_agent *agent);
LACUNA_API int lacuna_profile_done(lacuna_agent *agent, const lacuna_profile *profile);
LACUNA_API int lacuna_profile_read(lacuna_agent *agent, lacuna_profile *out, int *measuring);
LACUNA_API int lacuna_profile_of(lacuna_agent *agent, uint32_t layer, lacuna_layer_measurement *out);

/* One letter a layer, K, S or R, from layer `first` on; NULL takes the policy back. Refused as a whole or told as a whole.
 * `layer` of a refusal is the first that it is about. */
enum lacuna_policy_status {
    LACUNA_POLICY_TOLD = 0,
    LACUNA_POLICY_LETTERS, /* no letters, or other ones */
    LACUNA_POLICY_NO_LAYERS,
    LACUNA_POLICY_TOO_MANY,
    LACUNA_POLICY_CANNOT,
    LACUNA_POLICY_SWAP_OFF,
    LACUNA_POLICY_NO_DEVICE
};
typedef struct lacuna_policy_change {
    uint32_t layers;
    uint32_t layer;
    uint32_t reason;
    char before[LACUNA_SWAP_LAYERS + 1]; /* empty: there was none */
} lacuna_policy_change;
/* `letters`: one a layer from `first` on; or the name of a rule, by which the owner then chooses for each tensor in place of
 * letters (and of any before); or NULL, for neither. `before` is what to tell so that it is as it was. */
LACUNA_API int lacuna_policy_tell(lacuna_agent *agent, uint32_t first, const char *letters, lacuna_policy_change *out);
/* The letters in force, empty for none; returns their number. */
LACUNA_API uint32_t lacuna_policy_read(lacuna_agent *agent, char letters[LACUNA_SWAP_LAYERS + 1]);
/* The owner: the rules that it has, with commas between; names of small letters, digits and dashes. Later ones than fit are
 * left out. What is known, and the one in force, empty where there is none. */
#define LACUNA_RULES 8u
#define LACUNA_RULE_BYTES 16u
LACUNA_API int lacuna_rules_known(lacuna_agent *agent, const char *names);
LACUNA_API int lacuna_rules_read(lacuna_agent *agent, char names[LACUNA_RULES * LACUNA_RULE_BYTES], char rule[LACUNA_RULE_BYTES]);
/* The owner: a rule has let go of so much, to have it computed again; and all of that so far. */
LACUNA_API int lacuna_rules_dropped(lacuna_agent *agent, uint64_t bytes);
LACUNA_API uint64_t lacuna_rules_dropped_bytes(lacuna_agent *agent);
/* The owner: what a layer may be told from now on and why no more (lacuna_layer_reason); what it does in truth. */
LACUNA_API int lacuna_layer_can(lacuna_agent *agent, uint32_t layer, uint32_t actions, uint32_t reason);
LACUNA_API int lacuna_layer_does(lacuna_agent *agent, uint32_t layer, uint32_t action);
typedef struct lacuna_layer_state {
    char asked, does; /* K, S or R */
    uint32_t reason;
} lacuna_layer_state;
LACUNA_API int lacuna_layer_state_of(lacuna_agent *agent, uint32_t layer, lacuna_layer_state *out);

/* What the engine has to know of `bytes` at the beginning of a live block. */
typedef struct lacuna_swap_entry {
    const void *block;
    uint64_t bytes;
    uint64_t pass;   /* number of the layer's forward: the lowest is needed last. Not rescued before it is allowed */
    uint64_t cookie; /* not 0; names the entry to its owner */
    uint64_t stream; /* that wrote it: a rescue copies after what this was given */
    uint32_t layer;
    uint32_t contiguous;
} lacuna_swap_entry;
LACUNA_API int lacuna_swap_enter(lacuna_agent *agent, const lacuna_swap_entry *entry, lacuna_swapped **out);
/* The same for an owner in Python, whose lock is held: a capsule that leaves when nobody holds it any more. A finalizer of
 * Python's could be interrupted by a signal handler before it had left. None for no block; a new reference either way. NULL
 * where there is no Python, or where an exception is raised. */
LACUNA_API void *lacuna_swap_enter_object(lacuna_agent *agent, const lacuna_swap_entry *entry, lacuna_swapped **out);
/* Nothing uses the entry any more: waits for its copy where one is under way, and gives the host's side back. */
LACUNA_API int lacuna_swap_leave(lacuna_agent *agent, lacuna_swapped *swapped);
/* Passes up to this one are over: no operator of theirs runs, and their entries may be rescued. */
LACUNA_API int lacuna_swap_allow(lacuna_agent *agent, uint64_t pass);
/* Begins to copy out, after what `stream` was given so far. LACUNA_OUT_OF_MEMORY: the host's budget is exhausted;
 * LACUNA_SYSTEM: the copy could not be begun. Then, and where swapping is off (LACUNA_INVALID), the entry stays where it
 * is. LACUNA_INVALID too where its block was lost. */
LACUNA_API int lacuna_swap_out(lacuna_agent *agent, lacuna_swapped *swapped, uint64_t stream);
/* lacuna_swap_place, looked up without waiting; LACUNA_ON_DEVICE too for what was lost and is not on the host. */
LACUNA_API int lacuna_swap_where(lacuna_agent *agent, lacuna_swapped *swapped);
/* What the block holds may differ from what a copy took, or will from now on: no copy that has begun counts any more. The
 * owner has the block, or has it again at `block` (NULL: where it was). lacuna_swap_place: copying out until the copy that
 * does not count is over, else on the device; an entry that is copied in, or waits to be, stays so, and is copied anew when
 * it leaves. An entry whose block was lost stays lost, and one on the host is lost where no live block of its size is there. */
LACUNA_API int lacuna_swap_changed(lacuna_agent *agent, lacuna_swapped *swapped, void *block);
/* The owner no longer holds the block: only for an entry on the host. LACUNA_INVALID elsewhere: keep the block. */
LACUNA_API int lacuna_swap_let_go(lacuna_agent *agent, lacuna_swapped *swapped);
/* Begins to copy into a block of at least the same size; the host's side is kept until the entry leaves. LACUNA_OK too where
 * that block is the one that it was copied into already: who was interrupted may ask again. */
LACUNA_API int lacuna_swap_in(lacuna_agent *agent, lacuna_swapped *swapped, void *block, uint64_t stream);
/* The bytes are in the block for whoever comes next on `stream`. A copy that failed is tried again; LACUNA_SYSTEM: in
 * vain, the host's side is still there, and the next call tries again. LACUNA_INVALID: the block was lost. */
LACUNA_API int lacuna_swap_wait(lacuna_agent *agent, lacuna_swapped *swapped, uint64_t stream);
/* Backward has come to the entry: what it holds is in use from now on, and counts for lacuna_swap_least(). */
LACUNA_API int lacuna_swap_used(lacuna_agent *agent, lacuna_swapped *swapped);
/* The most that was allocated at a time in the last whole step beside what swapping could have had on the host: with less, no
 * such step can be trained by swapping. 0 while no step is known, and where swapping is off. */
LACUNA_API uint64_t lacuna_swap_least(lacuna_agent *agent);
/* Bytes that an allocation may take now without a rescue, roughly: for who would rather not ask. */
LACUNA_API uint64_t lacuna_swap_room(lacuna_agent *agent);
/* Bytes on the device that rescues could have on the host. */
LACUNA_API uint64_t lacuna_swap_movable(lacuna_agent *agent);

/* Sums over the words of eight bytes of a piece of the host's memory, of every so many-th word each, then the bytes that are left:
 * into `sums`, which has room for LACUNA_CONTENTS_BYTES; how many bytes of it were used. Two pieces whose words only changed
 * places by a multiple of the columns look alike. */
#define LACUNA_CONTENTS_COLUMNS 61
#define LACUNA_CONTENTS_BYTES (2 * 8 * LACUNA_CONTENTS_COLUMNS)
LACUNA_API uint64_t lacuna_contents_sums(const void *memory, uint64_t bytes, void *sums);

/*
 * Rescue: a request that would fail has entries copied out, and their owner drops the blocks. `let_go` is called in the
 * requesting thread where that thread may run the owner's code: it holds Python's lock, or there is no Python. Else
 * lacuna_swap_serve() returns the cookies in the owner's thread, which calls lacuna_swap_served() when it is done. 0
 * cookies: nothing was wanted for `patience_ms`.
 */
LACUNA_API int lacuna_swap_owner(lacuna_agent *agent, void (*let_go)(const uint64_t *cookies, uint32_t count));
/* The same for an owner in Python: a callable that is called with the cookies' address and their number. What signal handlers
 * raise meanwhile goes to `hear`, as an object that is lent for the call; KeyboardInterrupt is raised when the thread is back in
 * Python. Both are to live as long as the agent. */
LACUNA_API int lacuna_swap_owner_object(lacuna_agent *agent, void *let_go, void (*hear)(void *raised));
/* A callable of one argument for a framework that cannot raise what signals do: what their handlers raise first goes to
 * `keep`; then `callable` is called, and what is raised in it goes to `hear`, which says whether a signal's handler did; if
 * not, it is raised. Else, and after `keep`, all begins anew, up to 64 times. In the end `later`, unless it is None, gives back what is
 * kept, one a call, until it raises: that is raised in the main thread as soon as it runs Python again. Both are told of one exception again where a signal struck in
 * them. All are Python's; so is the result, a new reference. NULL: there is no Python, or an exception is raised. */
LACUNA_API void *lacuna_swap_hook_object(void *callable, void *keep, void *hear, void *later);
LACUNA_API uint32_t lacuna_swap_serve(lacuna_agent *agent, uint64_t *cookies, uint32_t room, uint32_t patience_ms);
LACUNA_API int lacuna_swap_served(lacuna_agent *agent);

/* ------------------------------------------------------------------ control protocol (docs/wire.md)
 * A Unix stream socket, <boot>-<pid namespace>-<pid>-<starttime>.sock. One request a line, at most LACUNA_LINE_BYTES with
 * its newline; one reply line. Words are `key=value`; a value with blanks stands last, in double quotes ("text=").
 *   hello                                          ok pid=N layout=3 version=… devices=N
 *   get [device=N]                                 ok <counters>
 *   set [device=N] [optimisation=on|off] [policy=segregated|lifetime] [fraction=F] [force=yes [safe=BYTES]] [by=WORD]
 *                                                  ok optimisation=on fraction=0.94 limit_bytes=N
 *                                                     before.<counter>=N … after.<counter>=N … unreached_bytes=N
 *   layers · profile · policy                      what layers hold, take and are told (docs/wire.md)
 *   empty-cache [device=N] [by=WORD]               ok before.… after.…
 * errors: error code=<word> [lowest_safe_fraction=F lowest_safe_bytes=N basis=<word> steps=N] text="…"
 *   bad-request · unknown-verb · out-of-range · would-fail · line-too-long · no-device · denied · busy
 *   no-layers · cannot · swap-off
 * <counter> in before./after.: reserved_bytes allocated_bytes requested_bytes active_bytes limit_bytes
 * releasable_bytes split_bytes pending_bytes; `get` prints these and fraction, optimisation, step, total_bytes.
 */
#define LACUNA_LINE_BYTES 512u

#ifdef __cplusplus
}
#endif
#endif
