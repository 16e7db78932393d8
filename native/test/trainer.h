/*
 * trainer.h - what the tests of the allocator share: an agent of a given size, and calls that must succeed.
 */
#ifndef LACUNA_TEST_TRAINER_H
#define LACUNA_TEST_TRAINER_H

#include "agent/agent.h"
#include "check.h"
#include "device/device.h"

#define KIB UINT64_C(1024)
#define MIB (UINT64_C(1024) * KIB)
#define GIB (UINT64_C(1024) * MIB)

static inline lacuna_agent *agent_with(lacuna_options options) {
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(&options, &a), LACUNA_OK);
    return a;
}

/* An agent without memory behind it, for tests of placement. */
static inline lacuna_agent *bookkeeper(uint64_t capacity, int optimisation) {
    return agent_with((lacuna_options){
        .capacity_bytes = capacity, .optimisation = optimisation, .bookkeeping_only = 1, .range_bytes = 4 * GIB});
}

static inline void *take_on(lacuna_agent *a, uint64_t size, uint64_t stream) {
    void *p;
    CHECK_EQ(lacuna_malloc(a, size, stream, &p), LACUNA_OK);
    CHECK(p != NULL);
    CHECK(agent_is_valid(a));
    return p;
}

static inline void *take(lacuna_agent *a, uint64_t size) {
    return take_on(a, size, 0);
}

static inline void refuse(lacuna_agent *a, uint64_t size) {
    void *p;
    CHECK_EQ(lacuna_malloc(a, size, 0, &p), LACUNA_OUT_OF_MEMORY);
    CHECK(p == NULL);
    CHECK(agent_is_valid(a));
}

static inline void give(lacuna_agent *a, void *p) {
    CHECK_EQ(lacuna_free(a, p), LACUNA_OK);
    CHECK(agent_is_valid(a));
}

static inline void mark(lacuna_agent *a, int phase, int begin) {
    CHECK_EQ(lacuna_phase(a, phase, begin), LACUNA_OK);
    CHECK(agent_is_valid(a));
}

static inline lacuna_placement place(lacuna_agent *a, const void *p) {
    lacuna_placement out;
    CHECK_EQ(lacuna_place(a, p, &out), LACUNA_OK);
    return out;
}

static inline lacuna_device_counters count(lacuna_agent *a) {
    lacuna_device_counters c;
    CHECK_EQ(lacuna_counters(a, &c), LACUNA_OK);
    CHECK_EQ(c.releasable_bytes + c.split_bytes + c.pending_bytes, c.reserved_bytes - c.allocated_bytes);
    CHECK(c.requested_bytes <= c.allocated_bytes && c.allocated_bytes <= c.active_bytes &&
          c.active_bytes <= c.reserved_bytes);
    return c;
}

/* Asserts where a block lies. */
#define CHECK_PLACED(agent, block, in_pool, in_segment, at_offset, of_bytes) \
    do {                                                                     \
        lacuna_placement placed_ = place(agent, block);                      \
        CHECK_EQ(placed_.pool, in_pool);                                     \
        CHECK_EQ(placed_.segment, in_segment);                               \
        CHECK_EQ(placed_.offset, at_offset);                                 \
        CHECK_EQ(placed_.block_bytes, of_bytes);                             \
    } while (0)

#endif
