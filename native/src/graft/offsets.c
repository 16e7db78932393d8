#include "graft/offsets.h"

#include <string.h>

/* Words of the table: its cookie, version and kind come first, then groups that begin with the size of what they describe.
 * The groups up to the thread's state have kept their places since 3.14; debugger_support is the last group, and is known by
 * its end: a flag at 0, a path behind it at 4, of 512 bytes. */
enum {
    COOKIE, VERSION, FREE_THREADED,
    RUNTIME_SIZE, FINALIZING, INTERPRETERS_HEAD,
    INTERPRETER_SIZE, INTERPRETER_ID, INTERPRETER_NEXT, THREADS_HEAD, THREADS_MAIN,
    THREAD_GROUP_3_14 = 22, /* behind sixteen words on interpreters */
    SUPPORT_WORDS = 6, PENDING_AT = 3
};
/* Of the thread's group. */
enum { THREAD_SIZE, THREAD_PREVIOUS, THREAD_NEXT, THREAD_INTERPRETER, THREAD_FRAME, THREAD_ID, THREAD_NATIVE_ID, THREAD_GROUP_WORDS = 9 };
enum { FIRST_WITH_REMOTE_DEBUGGING = 0x030e, PATH_BYTES = 512 };

static uint64_t word(const uint8_t *table, size_t n) {
    uint64_t value;
    memcpy(&value, table + 8 * n, sizeof value);
    return value;
}

/* Sizes and offsets of a thread's state follow one another as its first fields do: prev, next, interp are its first pointers. */
static bool is_thread_group(const uint8_t *table, size_t at) {
    uint64_t size = word(table, at);
    return size >= 128 && size < 65536 && word(table, at + THREAD_PREVIOUS) == 0 && word(table, at + THREAD_NEXT) == 8 &&
           word(table, at + THREAD_INTERPRETER) == 16 && word(table, at + THREAD_NATIVE_ID) < size &&
           word(table, at + THREAD_ID) + 8 == word(table, at + THREAD_NATIVE_ID);
}

static bool is_support_group(const uint8_t *table, size_t at) {
    return word(table, at + PENDING_AT) == 0 && word(table, at + PENDING_AT + 1) == 4 && word(table, at + PENDING_AT + 2) == PATH_BYTES;
}

typedef bool is_group(const uint8_t *table, size_t at);

static size_t find(const uint8_t *table, size_t words, size_t from, size_t length, is_group *is) {
    for (size_t at = from; at + length <= words; at++) {
        if (is(table, at)) return at;
    }
    return 0;
}

bool graft_offsets_parse(const uint8_t *table, size_t bytes, graft_offsets *out) {
    size_t words = bytes / 8;
    if (words <= THREAD_GROUP_3_14 || memcmp(table, "xdebugpy", 8) != 0) return false;
    size_t thread = find(table, words, THREADS_MAIN + 1, THREAD_GROUP_WORDS, is_thread_group);
    size_t support = thread ? find(table, words, thread + THREAD_GROUP_WORDS, SUPPORT_WORDS, is_support_group) : 0;
    uint32_t version = (uint32_t)(word(table, VERSION) >> 16) & 0xffff;
    if (!support || version < FIRST_WITH_REMOTE_DEBUGGING || version >> 8 != 3) return false;
    *out = (graft_offsets){
        .version = version,
        .interpreters_head = word(table, INTERPRETERS_HEAD),
        .interpreter_id = word(table, INTERPRETER_ID),
        .interpreter_next = word(table, INTERPRETER_NEXT),
        .threads_main = word(table, THREADS_MAIN),
        .thread_interpreter = word(table, thread + THREAD_INTERPRETER),
        .thread_native_id = word(table, thread + THREAD_NATIVE_ID),
        .eval_breaker = word(table, support),
        .support = word(table, support + 1),
        .remote_debugging_enabled = word(table, support + 2),
        .pending_call = word(table, support + PENDING_AT),
        .script_path = word(table, support + PENDING_AT + 1),
        .script_path_bytes = word(table, support + PENDING_AT + 2),
    };
    uint64_t interpreter = word(table, INTERPRETER_SIZE), state = word(table, thread);
    return out->threads_main < interpreter && out->remote_debugging_enabled < interpreter && out->eval_breaker < state &&
           out->support < state && out->interpreters_head < word(table, RUNTIME_SIZE);
}
