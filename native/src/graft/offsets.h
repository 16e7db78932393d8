/*
 * offsets.h - the table at the head of _PyRuntime that tells debuggers where things lie (Python 3.14 and later).
 */
#ifndef LACUNA_GRAFT_OFFSETS_H
#define LACUNA_GRAFT_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAFT_OFFSETS_BYTES 2048u /* more than any version's table; what lies behind it is the runtime's own */

typedef struct graft_offsets {
    uint32_t version; /* major << 8 | minor */
    uint64_t interpreters_head;                       /* in the runtime */
    uint64_t interpreter_id, interpreter_next, threads_main; /* in an interpreter */
    uint64_t remote_debugging_enabled;                /* in an interpreter */
    uint64_t thread_interpreter, thread_native_id;    /* in a thread's state */
    uint64_t eval_breaker, support;                   /* in a thread's state */
    uint64_t pending_call, script_path, script_path_bytes; /* in the support */
} graft_offsets;

/* False: no table, or none that is understood. */
bool graft_offsets_parse(const uint8_t *table, size_t bytes, graft_offsets *out);

#endif
