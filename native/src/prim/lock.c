#include "prim/lock.h"

#include <errno.h>
#include <time.h>

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void lock_wait(lock *l) {
    for (int pause = 1; pause <= LOCK_LONGEST_PAUSE; pause *= 2) {
        for (int i = 0; i < pause; i++) relax();
        uint32_t expected = 0;
        if (atomic_load_explicit(&l->state, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_weak_explicit(&l->state, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed)) {
            return;
        }
    }
    int kept = errno; /* the caller's errno is not ours to change */
    const struct timespec nap = {.tv_sec = 0, .tv_nsec = LOCK_NAP_NS};
    atomic_fetch_add_explicit(&l->waiters, 1, memory_order_relaxed);
    for (uint32_t expected = 0; !atomic_compare_exchange_strong_explicit(&l->state, &expected, 1, memory_order_acquire,
                                                                         memory_order_relaxed);
         expected = 0) {
        syscall(SYS_futex, &l->state, FUTEX_WAIT_PRIVATE, 1, &nap, NULL, 0);
    }
    atomic_fetch_sub_explicit(&l->waiters, 1, memory_order_relaxed);
    errno = kept;
}

void lock_wake(lock *l) {
    int kept = errno;
    syscall(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = kept;
}
