/*
 * remap_cost.c - what the device's own calls cost: taking, moving and giving back chunks of 2 MiB, in runs of several
 * lengths, and events. `remap_cost cuda|ascend [index]`. Prints a line of JSON per measurement, microseconds of wall
 * time: the least and the median of the rounds. This is what a remap is priced with.
 */
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 41, RANGES = 6 };
#define RANGE_BYTES (UINT64_C(4) << 30)

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void report(const char *what, uint64_t chunks, double times[ROUNDS]) {
    qsort(times, ROUNDS, sizeof *times, by_value);
    printf("{\"what\":\"%s\",\"chunks\":%llu,\"least_us\":%.2f,\"median_us\":%.2f,\"per_chunk_us\":%.3f}\n", what,
           (unsigned long long)chunks, times[0], times[ROUNDS / 2], times[ROUNDS / 2] / (double)chunks);
}

static void fail(const char *what) {
    fprintf(stderr, "remap_cost: %s failed\n", what);
    exit(1);
}

static double timed(bool (*call)(device *d, uint64_t offset, uint64_t bytes), const char *what, device *d,
                    uint64_t offset, uint64_t bytes) {
    double began = now_us();
    if (!call(d, offset, bytes)) fail(what);
    return now_us() - began;
}

static void measure_chunks(device *d, uint64_t chunks) {
    double take[ROUNDS], move[ROUNDS], give[ROUNDS], whole[ROUNDS], give_whole[ROUNDS];
    uint64_t bytes = chunks * SLOT_BYTES;
    for (int i = 0; i < ROUNDS; i++) {
        take[i] = timed(d->ops->map, "map", d, 0, bytes);
        double began = now_us();
        if (!d->ops->move(d, 0, RANGE_BYTES, bytes)) fail("move");
        move[i] = now_us() - began;
        give[i] = timed(d->ops->release, "release", d, RANGE_BYTES, bytes);
        whole[i] = timed(d->ops->map_whole, "map_whole", d, 0, bytes);
        give_whole[i] = timed(d->ops->release, "release", d, 0, bytes);
    }
    report("take chunks", chunks, take);
    report("move chunks", chunks, move);
    report("give chunks back", chunks, give);
    report("take one piece", chunks, whole);
    report("give one piece back", chunks, give_whole);
}

static void measure_events(device *d) {
    const device_stream_ops *s = d->ops->streams;
    double create[ROUNDS], record[ROUNDS], query[ROUNDS], wait[ROUNDS], look[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t event;
        double began = now_us();
        if (!s->event_create(d, &event)) fail("creating an event");
        create[i] = now_us() - began;
        if (!s->event_record(d, event, 0)) fail("recording an event");
        record[i] = now_us() - began - create[i];
        began = now_us();
        if (s->event_query(d, event) == EVENT_LOST) fail("querying an event");
        query[i] = now_us() - began;
        if (!s->event_wait(d, event)) fail("waiting for an event");
        wait[i] = now_us() - began - query[i];
        s->event_destroy(d, event);
        began = now_us();
        d->ops->outside(d, 0);
        look[i] = now_us() - began;
    }
    report("create an event", 1, create);
    report("record an event", 1, record);
    report("query an event", 1, query);
    report("wait for an event of an idle stream", 1, wait);
    report("ask for free memory", 1, look);
}

int main(int count, char **words) {
    char why[256] = "";
    lacuna_options o = {.range_bytes = RANGE_BYTES, .device = count > 2 ? atoi(words[2]) : 0};
    device *d = NULL;
    if (count > 1 && strcmp(words[1], "cuda") == 0) d = device_cuda.open(&o, RANGES, why, sizeof why);
    else if (count > 1 && strcmp(words[1], "ascend") == 0) d = device_ascend.open(&o, RANGES, why, sizeof why);
    else snprintf(why, sizeof why, "usage: remap_cost cuda|ascend [index]");
    if (d == NULL) {
        fprintf(stderr, "remap_cost: %s\n", why);
        return 1;
    }
    measure_events(d);
    for (uint64_t chunks = 1; chunks <= 256; chunks *= 4) measure_chunks(d, chunks);
    d->ops->close(d);
    return 0;
}
