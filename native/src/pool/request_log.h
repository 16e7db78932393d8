/*
 * request_log.h - what a trainer asked for, one word pair a request, so that it can be asked for again of a copy.
 *
 * Private memory, never the telemetry file: its ring holds less than a long step, and others could write to it. Entries are
 * never changed once written, so a reader that was told how many there are needs no lock.
 */
#ifndef LACUNA_REQUEST_LOG_H
#define LACUNA_REQUEST_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum logged_kind {
    LOGGED_ALLOC,     /* bytes; address = where the block came to lie, which names it */
    LOGGED_FREE,      /* address */
    LOGGED_PENDING,   /* address: freed while a stream still uses it */
    LOGGED_COMPLETED, /* address: no stream does any more */
    LOGGED_STREAM,    /* address = the stream of the requests that follow */
    LOGGED_SETUP,     /* bytes = 1 begin, 0 end */
    LOGGED_STEP,      /* the same */
    LOGGED_EMPTY,     /* the cache was emptied */
    LOGGED_FORWARD    /* bytes = 1 begin, 0 end; nested and unmatched ones too, as MindSpeed's rules take them */
};

#define LOGGED_KIND_SHIFT 60 /* requests are below 2^60 bytes */

typedef struct logged {
    uint64_t what; /* kind and bytes */
    uint64_t address;
} logged;

#define LOG_CHUNK_ENTRIES 4095 /* with the link 64 KiB */
#define LOG_MOST_CHUNKS 256    /* 16 MiB, about a million requests */

typedef struct log_chunk {
    struct log_chunk *next;
    uint64_t unused;
    logged entries[LOG_CHUNK_ENTRIES];
} log_chunk;

/* Invariant: `at` … `end` is what is left of the last chunk; both NULL while nothing is recorded. */
typedef struct request_log {
    logged *at, *end;
    log_chunk *first, *last;
    uint64_t chunks;
    log_chunk *spare; /* of former logs */
    uint64_t stream;
    bool recording;
    bool overflowed; /* what came after is missing */
} request_log;

/* Begins a log that is empty; what it holds goes to `kept`, unless that is NULL. */
void request_log_begin(request_log *l, request_log *kept);
/* Chunks that nobody reads any more are used again. */
void request_log_reuse(request_log *l, request_log *over);
void request_log_close(request_log *l);

/* Entries so far. */
uint64_t request_log_count(const request_log *l);

/* Room for one more entry; false from the limit on. */
bool request_log_turn(request_log *l);

static inline void log_put(request_log *l, enum logged_kind kind, uint64_t bytes, uint64_t address) {
    if (__builtin_expect(l->at == l->end, 0) && (!l->recording || !request_log_turn(l))) return;
    *l->at++ = (logged){(uint64_t)kind << LOGGED_KIND_SHIFT | bytes, address};
}

static inline void log_alloc(request_log *l, uint64_t bytes, uint64_t stream, uint64_t address) {
    if (__builtin_expect(stream != l->stream, 0)) {
        l->stream = stream;
        log_put(l, LOGGED_STREAM, 0, stream);
    }
    log_put(l, LOGGED_ALLOC, bytes, address);
}

#endif
