/*
 * lock.h - a mutex of one word, so that fork can re-make it in the child and a sanitizer sees plain C11 atomics.
 *
 * Invariant: 0 free, 1 held, 2 held and somebody may sleep in the kernel. Only the holder unlocks.
 */
#ifndef LACUNA_LOCK_H
#define LACUNA_LOCK_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct lock {
    _Atomic uint32_t state;
} lock;

#define LOCK_SPINS 64 /* a critical section lasts some 20 ns: a few turns are cheaper than a sleep */

void lock_wait(lock *l);
void lock_wake(lock *l);

static inline void lock_init(lock *l) {
    atomic_store_explicit(&l->state, 0, memory_order_relaxed);
}

static inline void lock_take(lock *l) {
    uint32_t expected = 0;
    if (__builtin_expect(!atomic_compare_exchange_strong_explicit(&l->state, &expected, 1, memory_order_acquire,
                                                                  memory_order_relaxed),
                         0)) {
        lock_wait(l);
    }
}

static inline void lock_give(lock *l) {
    if (__builtin_expect(atomic_exchange_explicit(&l->state, 0, memory_order_release) == 2, 0)) lock_wake(l);
}

#endif
