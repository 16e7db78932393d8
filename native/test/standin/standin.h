/*
 * standin.h - how a test steers the stand-ins for libcuda.so.1 and libascendcl.so: found with dlsym("standin") in the
 * library that the agent has loaded. Streams here never work by themselves: what they were given is done when a test
 * says so, or when somebody waits for it.
 */
#ifndef LACUNA_TEST_STANDIN_H
#define LACUNA_TEST_STANDIN_H

#include <stddef.h>
#include <stdint.h>

/* What a suite must know of the library that is stood in for. */
typedef struct standin_facts {
    const char *backend;                 /* its word in src/device/backends.def */
    const char *device_word;             /* its first device in messages */
    const char *record_call, *wait_call; /* what records an event, and has a stream wait for one */
    int any_error;                       /* a code that the agent has no rule for */
} standin_facts;

typedef struct standin_control {
    /* Devices of this capacity, all supported, no problems, counts at 0. Nothing may be open. */
    void (*reset)(unsigned devices, uint64_t capacity);
    /* Bytes that others hold on a device. */
    void (*outside)(int device, uint64_t bytes);
    /* Whether memory can be mapped by address (CUDA), and in what units. */
    void (*support)(int mapping, size_t granularity);

    /* The nth call of that name from now on (1 = the next) fails with `code`; NULL: none does. */
    void (*fail)(const char *call, unsigned nth, int code);
    /* Whether the failure that was asked for has happened. */
    int (*failed)(void);
    /* How often a call was made since the reset. */
    uint64_t (*calls)(const char *call);
    /* The names of all calls that can fail, ended by NULL. */
    const char *const *(*names)(void);

    uint64_t (*make_stream)(int device);
    /* What the stream was given goes on; its handle means nothing any more, and calls with it fail. */
    void (*destroy_stream)(int device, uint64_t stream);
    /* Work on a stream that touches memory, all of which must be mapped and accessible. Work of another stream there
     * that is neither done nor ordered before it is a problem. */
    void (*use)(int device, uint64_t stream, const void *address, uint64_t bytes);
    /* Later work of `stream` comes after what `other` was given so far: an event of the user's own. */
    void (*order)(int device, uint64_t stream, uint64_t other);
    /* All that a stream was given so far is done, and what it waits for. */
    void (*run)(int device, uint64_t stream);
    void (*run_all)(void);
    /* A stream is being captured into a graph: events recorded on it tell nothing, which would be a problem. */
    void (*capture)(int device, uint64_t stream, int on);

    uint64_t (*created)(int device); /* bytes of physical memory */
    uint64_t (*remaps)(void);        /* physical memory that was mapped again after it was unmapped */
    unsigned (*leaks)(void);         /* handles, mappings, reservations, events and contexts that are open */
    /* How many rules were broken; the first of them in words. */
    unsigned (*problems)(char *text, size_t bytes);

    const standin_facts *facts;
} standin_control;

const standin_control *standin(void);

#endif
