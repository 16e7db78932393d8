/*
 * check.h - assertions of the C tests: the first broken one says where and ends the test.
 */
#ifndef LACUNA_TEST_CHECK_H
#define LACUNA_TEST_CHECK_H

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

/* The thread sanitizer slows a single thread tenfold and has nothing to find there. */
#ifdef __SANITIZE_THREAD__
#define SLOWED 8
#else
#define SLOWED 1
#endif

/* How long a test is: `quick` usually, `nightly` where LACUNA_NIGHTLY=1 says so. */
static inline uint64_t effort(uint64_t quick, uint64_t nightly) {
    const char *asked = getenv("LACUNA_NIGHTLY");
    uint64_t full = asked != NULL && strcmp(asked, "1") == 0 ? nightly : quick;
    return full / SLOWED > 0 ? full / SLOWED : 1;
}

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
