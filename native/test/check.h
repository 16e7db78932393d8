/*
 * check.h - assertions of the C tests: the first broken one says where and ends the test.
 */
#ifndef LACUNA_TEST_CHECK_H
#define LACUNA_TEST_CHECK_H

#include "effort.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

#define CHECK_EQ(actual, expected)                                                                           \
    do {                                                                                                     \
        uint64_t actual_ = (uint64_t)(actual), expected_ = (uint64_t)(expected);                             \
        if (actual_ != expected_) {                                                                          \
            fprintf(stderr, "%s:%d: %s is %" PRIu64 ", expected %" PRIu64 "\n", __FILE__, __LINE__, #actual, \
                    actual_, expected_);                                                                     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define RUN(test)                          \
    do {                                   \
        fprintf(stderr, "  %s\n", #test); \
        test();                            \
    } while (0)

/* xorshift64*: the same numbers on every machine. */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

static inline uint64_t random_below(uint64_t *state, uint64_t n) {
    return random_next(state) % n;
}

#endif
