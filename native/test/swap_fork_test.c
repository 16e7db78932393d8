/* A forked child and the swap engine. */
#include "swap_world.h"

#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ fork */

static void a_forked_child_reads_back_and_swaps_no_more(void) {
    open_agent(64 * MIB, 64 * MIB);
    lacuna_swap_link(agent, 20 * MIB, 0);
    tensor on_host, moving;
    make(&on_host, MIB, 7, 1);
    make(&moving, 4 * MIB, 8, 1);
    CHECK_EQ(lacuna_swap_out(agent, on_host.entry, 0), LACUNA_OK);
    let_go(&on_host);
    CHECK_EQ(lacuna_swap_out(agent, moving.entry, 0), LACUNA_OK);
    agent_hold(agent);
    pid_t child = fork();
    if (child == 0) {
        agent_fork_child(agent);
        CHECK_EQ(lacuna_swap_mode(agent), LACUNA_SWAP_OFF);
        CHECK_EQ(lacuna_swap_where(agent, moving.entry), LACUNA_ON_DEVICE);
        CHECK(is_intact(&moving));
        bring_back(&on_host);
        CHECK(is_intact(&on_host));
        CHECK_EQ(lacuna_swap_out(agent, moving.entry, 0), LACUNA_INVALID);
        unmake(&on_host);
        unmake(&moving);
        _exit(0);
    }
    agent_release(agent);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(lacuna_swap_wait(agent, moving.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, moving.entry), LACUNA_ON_HOST);
    bring_back(&on_host);
    CHECK(is_intact(&on_host));
    unmake(&on_host);
    unmake(&moving);
    close_agent();
}

int main(void) {
    RUN(a_forked_child_reads_back_and_swaps_no_more);
    return 0;
}
