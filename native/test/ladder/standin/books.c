/* books.c - the devices, who they are, and which of them a thread means. */
#include "books.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int devices;
static uint64_t capacity;
static bool can_reach, started[DEVICES], peers[DEVICES][DEVICES];
static pid_t starter;
static _Thread_local int current = -1;

/* Of the devices there are, those that CUDA_VISIBLE_DEVICES leaves. */
static int visible(int all) {
    const char *text = getenv("CUDA_VISIBLE_DEVICES");
    if (text == NULL) return all;
    int named = *text >= '0' && *text <= '9';
    for (const char *c = text; *c != 0 && named > 0; c++) named += *c == ',';
    return named < all ? named : all;
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("STANDIN_BYTES");
    capacity = text != NULL ? strtoull(text, NULL, 0) : UINT64_C(8) << 30;
    text = getenv("STANDIN_DEVICES");
    int all = text != NULL ? atoi(text) : 1;
    devices = visible(all < DEVICES ? all : DEVICES);
    text = getenv("STANDIN_PEER");
    can_reach = text != NULL && *text == '1';
}

void standin_problem(const char *format, ...) {
    const char *path = getenv("STANDIN_PROBLEMS");
    char line[256];
    va_list words;
    va_start(words, format);
    int length = vsnprintf(line, sizeof line - 1, format, words);
    va_end(words);
    if (length < 0) return;
    if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
    line[length++] = '\n';
    int file = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (write(file, line, (size_t)length) < 0) abort();
    close(file);
}

void standin_lock(void) { pthread_mutex_lock(&guard); }
void standin_unlock(void) { pthread_mutex_unlock(&guard); }

int standin_devices(void) { return devices; }
uint64_t standin_capacity(void) { return capacity; }

/* CUdevice_attribute and cudaDeviceAttr share their numbers: a device of compute capability 9.0. */
int standin_attribute(int attribute) {
    static const int values[][2] = {
        {1, 1024},    /* threads a block */
        {8, 49152},   /* shared memory a block */
        {10, 32},     /* warp */
        {12, 65536},  /* registers a block */
        {16, 132},    /* multiprocessors */
        {38, 50 << 20}, /* L2 */
        {39, 2048},   /* threads a multiprocessor */
        {41, 1},      /* unified addressing */
        {75, 9},      /* major */
        {78, 1},      /* priorities of streams */
        {81, 233472}, /* shared memory a multiprocessor */
        {82, 65536},  /* registers a multiprocessor */
        {95, 1},      /* cooperative launch */
        {97, 232448}, /* shared memory a block, on request */
        {102, 1},     /* memory by address */
        {103, 1},     /* which is shared by descriptors */
        {106, 32},    /* blocks a multiprocessor */
        {115, 1},     /* memory pools */
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i][0] == attribute) return values[i][1];
    }
    return 0;
}

bool standin_is_lost(void) { return starter != 0 && starter != getpid(); }

void standin_start(int device) {
    if (starter == 0) starter = getpid();
    started[device] = true;
}

bool standin_is_started(int device) { return started[device]; }

int standin_current(void) { return current; }

void standin_set_current(int device) {
    current = device;
    if (device >= 0) standin_start(device);
}

bool standin_can_reach(int from, int to) { return can_reach && from != to; }

int standin_enable_peer(int from, int to) {
    if (!standin_can_reach(from, to)) return INVALID_DEVICE;
    if (peers[from][to]) return PEER_ALREADY_ENABLED;
    peers[from][to] = true;
    return SUCCESS;
}

bool standin_peer_is_enabled(int from, int to) { return from == to || peers[from][to]; }

static int refused(void) { return NOT_SUPPORTED; }

void *standin_symbol(const char *name) {
    char newer[128];
    void *self = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *found = NULL;
    snprintf(newer, sizeof newer, "%s_v2", name);
    if (self != NULL) found = dlsym(self, newer);
    if (self != NULL && found == NULL) found = dlsym(self, name);
    int (*no)(void) = refused;
    if (found == NULL) memcpy(&found, &no, sizeof found);
    return found;
}
