/*
 * checked.c - stands between PyTorch and the agent: LACUNA_LIBRARY names this library, whose functions for the two doors note
 * each block (blocks.c); every other name is found in the agent's own library, to which it is linked.
 *
 * LADDER_FAULT breaks it, so that the battery can be seen to notice: `overlap` gives a block out twice, `scribble` writes into
 * one, `leak` keeps what is freed, `refuse` has no memory for a large request that would fit. From the 40th block on, once each 40.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
enum { EVERY = 40, REFUSED_BYTES = 1 << 20 };

/* C++ exceptions of the agent's pass through: compiled with -fexceptions. */
static void *(*agent_malloc)(size_t, int, void *);
static void (*agent_free)(void *, size_t, int, void *);
static int (*front_malloc)(void *, uint64_t, uint64_t, void **);
static int (*front_free)(void *, void *);
static void (*block_begin)(void *, uint64_t);
static void (*block_end)(void *);
static void (*block_shared)(void *);
static int (*front_share)(void *, void *, void *, int *, uint64_t);
static const char *fault;
static unsigned given;

static void find(void *out, void *library, const char *name) {
    void *found = library != NULL ? dlsym(library, name) : NULL;
    memcpy(out, &found, sizeof found);
}

static void find_all(void) {
    fault = getenv("LADDER_FAULT");
    void *agent = dlopen("liblacuna_torch.so", RTLD_NOW | RTLD_NOLOAD), *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    find(&agent_malloc, agent, "lacuna_torch_malloc");
    find(&agent_free, agent, "lacuna_torch_free");
    find(&front_malloc, agent, "lacuna_malloc");
    find(&front_free, agent, "lacuna_free");
    find(&block_begin, driver, "standin_block_begin");
    find(&block_end, driver, "standin_block_end");
    find(&block_shared, driver, "standin_block_shared");
    find(&front_share, agent, "lacuna_share");
    if (agent_malloc == NULL || agent_free == NULL || front_malloc == NULL || front_free == NULL) abort();
    if (block_begin == NULL || block_end == NULL || block_shared == NULL || front_share == NULL) abort();
}

static void begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all);
}

static bool is_fault(const char *name) { return fault != NULL && strcmp(fault, name) == 0; }

static bool is_due(void) { return fault != NULL && __atomic_add_fetch(&given, 1, __ATOMIC_RELAXED) % EVERY == 0; }

static void begin_block(void *block, uint64_t bytes, bool faulty) {
    block_begin(block, bytes);
    if (faulty && is_fault("overlap")) block_begin(block, bytes);
    if (faulty && is_fault("scribble")) memset(block, 0, 8);
}

/* ------------------------------------------------------------------ the pluggable door */

API void *lacuna_torch_malloc(size_t bytes, int device, void *stream) {
    begin();
    bool now = is_due();
    if (now && is_fault("refuse") && bytes >= REFUSED_BYTES) agent_malloc((size_t)1 << 50, device, stream); /* raises */
    void *block = agent_malloc(bytes, device, stream);
    begin_block(block, bytes, now);
    return block;
}

API void lacuna_torch_free(void *block, size_t bytes, int device, void *stream) {
    begin();
    block_end(block);
    if (!(is_fault("leak") && is_due())) agent_free(block, bytes, device, stream);
}

/* ------------------------------------------------------------------ the front */

API int lacuna_malloc(void *agent, uint64_t bytes, uint64_t stream, void **out) {
    begin();
    bool now = is_due();
    if (now && is_fault("refuse") && bytes >= REFUSED_BYTES) bytes = UINT64_C(1) << 50;
    int status = front_malloc(agent, bytes, stream, out);
    if (status == 0 && *out != NULL) begin_block(*out, bytes, now);
    return status;
}

API int lacuna_free(void *agent, void *block) {
    begin();
    block_end(block);
    return is_fault("leak") && is_due() ? 0 : front_free(agent, block);
}

API int lacuna_share(void *agent, void *block, void *where, int *descriptors, uint64_t room) {
    begin();
    int status = front_share(agent, block, where, descriptors, room);
    if (status == 0 && room > 0) block_shared(block);
    return status;
}
