/* A forked child reads its parent's tensors, writes its own copies, and goes on allocating. */
#include "trainer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool stop;

static void *keep_the_lock_busy(void *agent) {
    while (!atomic_load(&stop)) {
        void *p;
        if (lacuna_malloc(agent, 4096, 0, &p) == LACUNA_OK) lacuna_free(agent, p);
    }
    return NULL;
}

static int live_as_a_child(lacuna_agent *a, unsigned char *inherited) {
    agent_fork_child(a);
    CHECK(agent_is_valid(a));
    CHECK_EQ(inherited[0], 11);
    inherited[0] = 22; /* its own copy */
    unsigned char *p = take(a, 40 * MIB);
    memset(p, 33, 40 * MIB);
    CHECK_EQ(inherited[0], 22);
    give(a, p);
    give(a, inherited);
    mark(a, LACUNA_PHASE_SETUP, 1); /* moves what was inherited */
    unsigned char *q = take(a, 40 * MIB);
    memset(q, 44, 40 * MIB);
    give(a, q);
    return 0;
}

static void a_child_goes_on_with_its_own_copy(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 64 * MIB, .optimisation = 1});
    unsigned char *tensor = take(a, 30 * MIB);
    memset(tensor, 11, 30 * MIB);
    pthread_t busy;
    CHECK_EQ(pthread_create(&busy, NULL, keep_the_lock_busy, a), 0);
    for (int i = 0; i < 5; i++) {
        agent_lock(a);
        pid_t child = fork();
        if (child == 0) _exit(live_as_a_child(a, tensor));
        agent_unlock(a);
        CHECK(child > 0);
        int status;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&stop, true);
    pthread_join(busy, NULL);
    CHECK_EQ(tensor[0], 11);
    give(a, tensor);
    lacuna_close(a);
}

int main(void) {
    RUN(a_child_goes_on_with_its_own_copy);
    return 0;
}
