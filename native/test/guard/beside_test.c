/* The guard replays a training's steps while it trains. */
#include "guard/guard.h"
#include "guard/safe.h"
#include "job.h"
#include "pool/state.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_bool over;

static void *keep_asking(void *agent) {
    while (!over) {
        situation tight = guard_situation(agent);
        tight.limit_bytes = 1;
        guard_judge(agent, &tight);
        guard_refresh(agent);
        guard_look(agent);
    }
    return NULL;
}

static void the_training_goes_on_while_its_steps_are_replayed(void) {
    lacuna_agent *a = bookkeeper(2 * GIB, 1);
    job j = job_of(a, 3, true, 1);
    job_run(&j, 4);
    pthread_t asker;
    over = false;
    CHECK_EQ(pthread_create(&asker, NULL, keep_asking, a), 0);
    job_run(&j, (int)effort(200, 1000));
    over = true;
    pthread_join(asker, NULL);
    CHECK(!j.died && agent_is_valid(a));
    CHECK_EQ(a->guard->windows.done->readers, 0);
    lacuna_close(a);
}

int main(void) {
    RUN(the_training_goes_on_while_its_steps_are_replayed);
    return 0;
}
