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

static void begin_to_return(tensor *t) {
    CHECK_EQ(lacuna_swap_out(agent, t->entry, 0), LACUNA_OK);
    let_go(t);
    t->words = take(t->bytes);
    memset(t->words, 0, t->bytes);
}

static void expect_returned(tensor *t) {
    CHECK_EQ(lacuna_swap_wait(agent, t->entry, 0), LACUNA_OK);
    CHECK(is_intact(t));
    CHECK_EQ(lacuna_swap_where(agent, t->entry), LACUNA_ON_DEVICE);
}

static void a_forked_child_reads_what_was_on_its_way_back(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor moving, queued;
    make(&moving, MIB, 7, 1);
    make(&queued, MIB, 8, 1);
    begin_to_return(&moving);
    begin_to_return(&queued);
    have_copies_begin_late();
    CHECK_EQ(lacuna_swap_in(agent, moving.entry, moving.words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_in(agent, queued.entry, queued.words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, queued.entry), LACUNA_COPYING_IN);
    agent_hold(agent);
    pid_t child = fork();
    if (child == 0) {
        agent_fork_child(agent);
        CHECK(agent_is_valid(agent));
        CHECK_EQ(counters().swapping_in_bytes, 0);
        CHECK_EQ(lacuna_swap_let_go(agent, moving.entry), LACUNA_INVALID);
        expect_returned(&moving);
        expect_returned(&queued);
        CHECK_EQ(counters().copy_failures, 0);
        unmake(&moving);
        unmake(&queued);
        _exit(0);
    }
    agent_release(agent);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    expect_returned(&moving);
    expect_returned(&queued);
    unmake(&moving);
    unmake(&queued);
    close_agent();
}

/* The copy that was under way at the fork may be there in part. */
static void a_forked_child_that_swaps_on_has_no_copies_in_part(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor t;
    make(&t, MIB, 7, 1);
    have_copies_begin_late();
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    agent_hold(agent);
    pid_t child = fork();
    if (child == 0) {
        agent_fork_child(agent);
        CHECK_EQ(lacuna_swap_set(agent, LACUNA_SWAP_ON, LACUNA_SWAP_KEEP_BUDGET), LACUNA_OK);
        CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_SYSTEM);
        CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_DEVICE);
        CHECK(is_intact(&t));
        unmake(&t);
        _exit(0);
    }
    agent_release(agent);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    unmake(&t);
    close_agent();
}

int main(void) {
    RUN(a_forked_child_reads_back_and_swaps_no_more);
    RUN(a_forked_child_reads_what_was_on_its_way_back);
    RUN(a_forked_child_that_swaps_on_has_no_copies_in_part);
    return 0;
}
