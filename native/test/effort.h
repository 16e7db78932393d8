/* How much a test tries. */
#ifndef LACUNA_EFFORT_H
#define LACUNA_EFFORT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The thread sanitizer slows a single thread tenfold and has nothing to find there; the address sanitizer slows it to a half. */
#ifdef __SANITIZE_THREAD__
#define SLOWED 8
#elif defined(__SANITIZE_ADDRESS__)
#define SLOWED 2
#else
#define SLOWED 1
#endif

/* How long a test is: `quick` usually, `nightly` where LACUNA_NIGHTLY=1 says so. */
static inline uint64_t effort(uint64_t quick, uint64_t nightly) {
    const char *asked = getenv("LACUNA_NIGHTLY");
    uint64_t full = asked != NULL && strcmp(asked, "1") == 0 ? nightly : quick;
    return full / SLOWED > 0 ? full / SLOWED : 1;
}

#endif
