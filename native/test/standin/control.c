#include "gpu.h"

#include <unistd.h>

static void control_reset(unsigned devices, uint64_t capacity) {
    lock_gpu();
    set_up(devices, capacity);
    unlock_gpu();
}

static void control_outside(int device, uint64_t bytes) {
    lock_gpu();
    gpu.outside[device] = bytes;
    unlock_gpu();
}

static void control_support(int mapping, size_t granularity) {
    lock_gpu();
    gpu.mapping_supported = mapping;
    gpu.granularity = granularity;
    unlock_gpu();
}

static void control_fail(const char *call, unsigned nth, int code) {
    lock_gpu();
    gpu.failing = call;
    gpu.failing_in = nth;
    gpu.failing_code = code;
    gpu.failure_happened = false;
    unlock_gpu();
}

static int control_failed(void) {
    lock_gpu();
    int happened = gpu.failure_happened;
    unlock_gpu();
    return happened;
}

static uint64_t control_calls(const char *call) {
    uint64_t count = 0;
    lock_gpu();
    for (int i = 0; i < CALLS && gpu.calls[i].name != NULL; i++) {
        if (strcmp(gpu.calls[i].name, call) == 0) count = gpu.calls[i].count;
    }
    unlock_gpu();
    return count;
}

static uint64_t control_make_stream(int device) {
    lock_gpu();
    uint64_t made = make_stream(device);
    unlock_gpu();
    return made;
}

static void control_destroy_stream(int device, uint64_t handle) {
    lock_gpu();
    stream_of(device, handle)->destroyed = true;
    unlock_gpu();
}

static void control_use(int device, uint64_t handle, const void *address, uint64_t bytes) {
    lock_gpu();
    give_use(stream_of(device, handle), (uintptr_t)address, bytes, -1);
    unlock_gpu();
}

static void control_order(int device, uint64_t handle, uint64_t other) {
    lock_gpu();
    event e = {.device = device, .open = true};
    stream *s = stream_of(device, handle);
    record_event(&e, stream_of(device, other));
    wait_for_event(s, &e);
    unlock_gpu();
}

static void control_run(int device, uint64_t handle) {
    lock_gpu();
    stream *s = stream_of(device, handle);
    run_until(s, s->given);
    unlock_gpu();
}

static void control_run_all(void) {
    lock_gpu();
    for (int i = 0; i < DEVICES; i++) synchronize_device(i);
    unlock_gpu();
}

static void control_capture(int device, uint64_t handle, int on) {
    lock_gpu();
    stream_of(device, handle)->capturing = on != 0;
    unlock_gpu();
}

static uint64_t control_created(int device) {
    lock_gpu();
    uint64_t bytes = gpu.created[device];
    unlock_gpu();
    return bytes;
}

static uint64_t control_remaps(void) {
    lock_gpu();
    uint64_t count = gpu.remaps;
    unlock_gpu();
    return count;
}

static unsigned count_leaks(bool tell) {
    unsigned memories = 0, reserved = 0, events = 0, contexts = 0, streams = 0;
    for (uint64_t i = 0; i < gpu.memory_count; i++) memories += gpu.memories[i].bytes != 0 && !gpu.memories[i].excused;
    for (int i = 0; i < RESERVATIONS; i++) reserved += gpu.reservations[i].bytes != 0 && !gpu.reservations[i].excused;
    for (const event *e = gpu.events; e != NULL; e = e->next) events += e->open && !e->excused;
    for (int i = 0; i < DEVICES; i++) contexts += gpu.contexts[i];
    for (int i = 0; i < STREAMS; i++) streams += gpu.streams[i].open && gpu.streams[i].counted;
    unsigned all = memories + reserved + events + contexts + streams + gpu.host_pieces;
    if (tell && all > 0) {
        fprintf(stderr, "stand-in: open are %u pieces of memory, %u reservations, %u events, %u contexts, %u streams, "
                "%u pieces of the host\n", memories, reserved, events, contexts, streams, gpu.host_pieces);
    }
    return all;
}

static unsigned control_leaks(void) {
    lock_gpu();
    unsigned count = count_leaks(true);
    unlock_gpu();
    return count;
}

static unsigned control_problems(char *text, size_t bytes) {
    lock_gpu();
    unsigned count = gpu.problem_count;
    snprintf(text, bytes, "%s", count > 0 ? gpu.problem : "");
    unlock_gpu();
    return count;
}

__attribute__((visibility("default"))) const standin_control *standin(void) {
    static const standin_control control = {
        control_reset,   control_outside,     control_support, control_fail,  control_failed, control_calls,
        control_names,   control_make_stream, control_destroy_stream, control_use,    control_order, control_run,
        control_run_all, control_capture,     control_created,        control_remaps, control_leaks, control_problems,
        &control_facts,
    };
    return &control;
}

__attribute__((destructor)) static void at_exit(void) {
    const char *asked = getenv("LACUNA_STANDIN_LEAKS");
    if (asked == NULL || strcmp(asked, "1") != 0) return;
    if (count_leaks(true) > 0 || gpu.problem_count > 0) _exit(3);
}
