/* Limits of address space and of memory: the trainer keeps its share. */
#include "machine.h"
#include "trainer.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The sanitizers reserve terabytes for themselves: no limit of address space can be set there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_LIMIT 0
#else
#define CAN_LIMIT 1
#endif

static void limit_to(uint64_t spare) {
    uint64_t used = (UINT64_C(1) << 62) - 1;
    struct rlimit wide = {.rlim_cur = used, .rlim_max = RLIM_INFINITY};
    CHECK_EQ(setrlimit(RLIMIT_AS, &wide), 0);
    used -= machine_spare_addresses();
    struct rlimit tight = {.rlim_cur = used + spare, .rlim_max = RLIM_INFINITY};
    CHECK_EQ(setrlimit(RLIMIT_AS, &tight), 0);
}

/* In a child, as a limit cannot be trusted to leave the test runner anything. */
static void under_limit(uint64_t spare, void (*test)(void)) {
    pid_t child = fork();
    if (child == 0) {
        limit_to(spare);
        test();
        _exit(0);
    }
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static void allocates_and_leaves_half(void) {
    uint64_t before = machine_spare_addresses();
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(&(lacuna_options){.capacity_bytes = 256 * MIB, .optimisation = 1}, &a), LACUNA_OK);
    give(a, take(a, 256 * MIB));
    CHECK(machine_spare_addresses() + 16 * MIB >= before / 2);
    void *own = mmap(NULL, before / 2 - 64 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(own != MAP_FAILED);
    lacuna_close(a);
}

static void declines(void) {
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(&(lacuna_options){.capacity_bytes = 4 * GIB}, &a), LACUNA_SYSTEM);
    CHECK_EQ(errno, ENOMEM);
    CHECK(a == NULL);
}

static void half_of_a_limited_address_space_stays_the_trainers(void) {
    under_limit(6 * GIB, allocates_and_leaves_half);
}

static void a_capacity_beyond_that_half_is_declined(void) {
    under_limit(6 * GIB, declines);
}

int main(void) {
    if (CAN_LIMIT) {
        RUN(half_of_a_limited_address_space_stays_the_trainers);
        RUN(a_capacity_beyond_that_half_is_declined);
    }
    return 0;
}
