/*
 * lock.h - a mutex of one word, so that fork can re-make it in the child and a sanitizer sees plain C11 atomics.
 *
 * Invariants: state is 0 free or 1 held; only the holder gives it back; waiters counts threads that may sleep in the
 * kernel. Giving it back is a plain store, not a locked instruction, which saves a tenth of a pair of calls. The price: the
 * giver may miss a waiter that arrives in the same moment, because its look at `waiters` can overtake its store. So a
 * waiter never sleeps for longer than LOCK_NAP_NS; nothing is lost but that nap, and only under contention.
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
    _Atomic uint32_t waiters;
} lock;

/*
 * Turns between two looks at a lock that is held: doubled each time up to this, then the waiter sleeps. A holder that is
 * looked at too often loses its cache lines to the waiter with each pair of calls; in longer turns each serves dozens
 * of pairs out of its own cache. The longest lasts some microseconds, about what a sleep costs at least.
 */
#define LOCK_LONGEST_PAUSE 256
#define LOCK_NAP_NS 50000 /* about what waking a sleeper costs anyway */

void lock_wait(lock *l);
void lock_wake(lock *l);

static inline void lock_init(lock *l) {
    atomic_store_explicit(&l->state, 0, memory_order_relaxed);
    atomic_store_explicit(&l->waiters, 0, memory_order_relaxed);
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
    atomic_store_explicit(&l->state, 0, memory_order_release);
    if (__builtin_expect(atomic_load_explicit(&l->waiters, memory_order_relaxed) != 0, 0)) lock_wake(l);
}

#endif
