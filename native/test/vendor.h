/*
 * vendor.h - work on memory and streams, the same words for host memory, for the stand-ins and for a real GPU, so that
 * one suite runs on all of them.
 */
#ifndef LACUNA_TEST_VENDOR_H
#define LACUNA_TEST_VENDOR_H

#include "check.h"
#include "device/device.h"
#include "lacuna.h"
#include "standin.h"

#include <dlfcn.h>
#include <stdbool.h>

enum { WORLD_STREAMS = 512, WORLD_DEVICES = 16, WORLD_VERIFIED = 4096 };

/* A real GPU's driver, as far as a test needs it. */
typedef struct driver {
    int (*init)(unsigned flags);
    int (*context_retain)(void **context, int device);
    int (*context_set)(void *context);
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_synchronize)(void *stream);
    int (*stream_wait)(void *stream, void *event, unsigned flags);
    int (*event_create)(void **event, unsigned flags);
    int (*event_record)(void *event, void *stream);
    int (*event_destroy)(void *event);
    int (*fill)(unsigned long long address, unsigned char value, size_t bytes, void *stream);
    int (*fetch)(void *to, unsigned long long address, size_t bytes);
} driver;

typedef struct world {
    int backend;
    const standin_control *standin; /* NULL: host memory or a real device */
    driver *real;                   /* NULL: host memory or a stand-in */
    void *context;                  /* of the real device */
    const char *device_word;        /* in messages */
    uint64_t streams[WORLD_DEVICES][WORLD_STREAMS];
} world;

/* The library that stands in for this back end's driver. */
static inline bool world_find_standin(world *w, const char *backend) {
    const char *const files[] = {STANDIN_FILES NULL};
    for (const char *const *file = files; *file != NULL; file++) {
        void *library = dlopen(*file, RTLD_NOW);
        const standin_control *(*find)(void) = NULL;
        if (library != NULL) *(void **)&find = dlsym(library, "standin");
        if (find != NULL && strcmp(find()->facts->backend, backend) == 0) {
            w->standin = find();
            return true;
        }
        if (library == NULL || find == NULL) fprintf(stderr, "%s is no stand-in: %s\n", *file, dlerror());
        if (library != NULL) dlclose(library);
    }
    fprintf(stderr, "none of test/standin is for %s\n", backend);
    return false;
}

static inline bool world_find_driver(world *w) {
    static driver found;
    const struct {
        const char *name;
        void *place;
    } wanted[] = {{"cuInit", &found.init}, {"cuDevicePrimaryCtxRetain", &found.context_retain},
                  {"cuCtxSetCurrent", &found.context_set}, {"cuStreamCreate", &found.stream_create},
                  {"cuStreamSynchronize", &found.stream_synchronize}, {"cuStreamWaitEvent", &found.stream_wait},
                  {"cuEventCreate", &found.event_create}, {"cuEventRecord", &found.event_record},
                  {"cuEventDestroy_v2", &found.event_destroy}, {"cuMemsetD8Async", &found.fill},
                  {"cuMemcpyDtoH_v2", &found.fetch}};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (size_t i = 0; library != NULL && i < sizeof wanted / sizeof *wanted; i++) {
        void *at = dlsym(library, wanted[i].name);
        if (at == NULL) library = NULL;
        else memcpy(wanted[i].place, &at, sizeof at);
    }
    void *context = NULL;
    /* The stand-in will do for checking the tests themselves, where it was told to keep memory. */
    bool real = library != NULL && (dlsym(library, "standin") == NULL || getenv("LACUNA_STANDIN_MEMORY") != NULL);
    if (!real || found.init(0) != 0 || found.context_retain(&context, 0) != 0 || found.context_set(context) != 0) {
        fprintf(stderr, "no real CUDA device here\n");
        return false;
    }
    w->real = &found;
    w->context = context;
    return true;
}

/* By a word of backends.def, each but the host's memory on its stand-in; `gpu` is the first real NVIDIA device. */
static inline bool world_open(world *w, const char *name) {
    bool real = strcmp(name, "gpu") == 0;
    int backend = real ? LACUNA_BACKEND_CUDA : 1;
    while (!real && backend < DEVICE_BACKENDS && strcmp(device_backend_word(backend), name) != 0) backend++;
    *w = (world){.backend = backend, .device_word = real ? "GPU 0" : "virtual 0"};
    if (real) return world_find_driver(w);
    if (backend == LACUNA_BACKEND_VIRTUAL) return true;
    if (backend == DEVICE_BACKENDS || !world_find_standin(w, name)) return false;
    w->device_word = w->standin->facts->device_word;
    return true;
}

/* Another thread begins to use this world. */
static inline void world_enter(world *w) {
    if (w->real != NULL) CHECK_EQ(w->real->context_set(w->context), 0);
}

/* A stream of the device beside its default one, the same for the same number. */
static inline uint64_t world_stream(world *w, int device, int number) {
    uint64_t *made = &w->streams[device][number];
    if (w->standin != NULL && *made == 0) *made = w->standin->make_stream(device);
    if (w->real != NULL && *made == 0) {
        void *stream;
        CHECK_EQ(w->real->stream_create(&stream, 1), 0);
        *made = (uintptr_t)stream;
    }
    return w->standin != NULL || w->real != NULL ? *made : (uint64_t)number + 1;
}

/* Work of the stream that fills the block with a value. */
static inline void world_use(world *w, int device, uint64_t stream, void *block, uint64_t bytes, unsigned char value) {
    if (w->standin != NULL) {
        w->standin->use(device, stream, block, bytes);
    } else if (w->real != NULL) {
        CHECK_EQ(w->real->fill((uintptr_t)block, value, bytes, (void *)(uintptr_t)stream), 0);
    } else {
        ((unsigned char *)block)[0] = ((unsigned char *)block)[bytes - 1] = value;
    }
}

/* The block holds the value that its stream's work filled it with; on a real device every so often, for it takes long. */
static inline void world_verify(world *w, const void *block, uint64_t bytes, uint64_t stream, unsigned char value) {
    static unsigned turn;
    if (w->backend == LACUNA_BACKEND_VIRTUAL) {
        CHECK_EQ(((const unsigned char *)block)[0], value);
        CHECK_EQ(((const unsigned char *)block)[bytes - 1], value);
    }
    if (w->real == NULL || ++turn % 8 != 0) return;
    unsigned char ends[2];
    CHECK_EQ(w->real->stream_synchronize((void *)(uintptr_t)stream), 0);
    CHECK_EQ(w->real->fetch(&ends[0], (uintptr_t)block, 1), 0);
    CHECK_EQ(w->real->fetch(&ends[1], (uintptr_t)block + bytes - 1, 1), 0);
    CHECK_EQ(ends[0], value);
    CHECK_EQ(ends[1], value);
}

/* What `stream` is given from now on comes after what `other` was given. */
static inline void world_order(world *w, int device, uint64_t stream, uint64_t other) {
    if (w->standin != NULL) w->standin->order(device, stream, other);
    if (w->real == NULL) return;
    void *event;
    CHECK_EQ(w->real->event_create(&event, 2), 0);
    CHECK_EQ(w->real->event_record(event, (void *)(uintptr_t)other), 0);
    CHECK_EQ(w->real->stream_wait((void *)(uintptr_t)stream, event, 0), 0);
    CHECK_EQ(w->real->event_destroy(event), 0);
}

/* The stream's work is done. */
static inline void world_run(world *w, lacuna_agent *a, int device, uint64_t stream) {
    if (w->standin != NULL) w->standin->run(device, stream);
    else if (w->real != NULL) CHECK_EQ(w->real->stream_synchronize((void *)(uintptr_t)stream), 0);
    else CHECK_EQ(lacuna_stream_done(a, stream), LACUNA_OK);
}

#endif
