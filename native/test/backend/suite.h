/*
 * suite.h - the same behaviour on every backend: `backend_suite NAME`, one of backends.def. All but host memory stand on
 * stand-in libraries, whose streams work only when told and which check every call; `backend_suite gpu` takes the first real
 * NVIDIA device.
 * One file for each subject.
 */
#ifndef LACUNA_TEST_SUITE_H
#define LACUNA_TEST_SUITE_H

#include "standin.h"
#include "trainer.h"
#include "vendor.h"

/* The backend that the suite was started for. */
extern world here;

lacuna_options options_for(uint64_t capacity, int on);

/* The only agent, of a device with this capacity. */
lacuna_agent *open_agent(uint64_t capacity, int on);

/* Closes it; no rule was broken and nothing is left. */
void close_agent(lacuna_agent *a);
void check_clean(void);

/* A block that its stream works on from now on. */
void *take_used(lacuna_agent *a, uint64_t size, uint64_t stream);

typedef struct held {
    void *memory;
    uint64_t size, stream;
    unsigned char value;
} held;

/* 1 … most, each power of two as often. */
uint64_t random_size(uint64_t *seed, uint64_t most);

/* Blocks come and go at random over two streams; steps, switches and caps happen; everything holds all the time. */
void churn(lacuna_agent *a, uint64_t seed, uint64_t events, uint64_t most, bool strict);

/* The subjects. */
void test_places(void);    /* first: a process asks once where a device is */
void test_processes(void); /* while there is one thread */
void test_blocks(void);
void test_streams(void);
void test_limits(void);
void test_shares(void);
void test_swaps(void);
void test_failures(void);
void test_many(void);

#endif
