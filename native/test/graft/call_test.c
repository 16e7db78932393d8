/*
 * A thread that is sent into a function and brought back: nothing of it may have changed, wherever it was, and whoever dies
 * meanwhile. The target is a fork of this program, in which every function lies where it lies here.
 */
#include "check.h"
#include "graft/call.h"
#include "graft/memory.h"
#include "graft/process.h"
#include "graft/stop.h"
#include "prim/clock.h"
#include "prim/text_file.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECOND_MS = 1000 };
#define PATIENCE_NS UINT64_C(5000000000)

/* What a target and its test share. */
typedef struct shared {
    _Atomic uint64_t turns, wrong, called, last_argument, ends, got;
    _Atomic int error;
} shared;
static shared *common;

/* The function that targets are sent into: it uses every kind of register that a compiler may. */
__attribute__((noinline)) static int visit(uint64_t a, uint64_t b) {
    volatile double x = (double)a, y = 0;
    volatile uint8_t bytes[512];
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(a + i);
    for (unsigned i = 0; i < sizeof bytes; i++) y += bytes[i] * x;
#if defined(__x86_64__)
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0\n pcmpeqd %%xmm5, %%xmm5\n pcmpeqd %%xmm15, %%xmm15\n" ::: "xmm0", "xmm5", "xmm15");
#endif
    common->last_argument = b;
    common->called++;
    return y < 0;
}

/* ------------------------------------------------------------------ the tracer's side */

static uint64_t back_in_libc(void) {
    static uint64_t found;
    if (found) return found;
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], rights[5];
    unsigned long start, end;
    while (!found && fgets(line, sizeof line, maps)) {
        const char *name = graft_way_back_is_in_libc ? "/libc" : "[vdso]";
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 || rights[2] != 'x' || !strstr(line, name)) continue;
        size_t offset = graft_way_back_in((const uint8_t *)start, end - start);
        if (offset != SIZE_MAX) found = start + offset;
    }
    fclose(maps);
    return found;
}

static bool stop(pid_t target, graft_guest *g) {
    lacuna_graft_report report = {0};
    *g = (graft_guest){.thread = target};
    return graft_stop_thread(target, target, PATIENCE_NS, &report) == LACUNA_GRAFT_OK && graft_registers_read(target, &g->home);
}

/* One call of function(a, b) in the target. */
static enum graft_outcome send_to(int (*function)(uint64_t, uint64_t), pid_t target, uint64_t a, uint64_t b) {
    static graft_frame frame;
    graft_guest g;
    graft_call call = {(uint64_t)(uintptr_t)function, {a, b}, back_in_libc()};
    if (!stop(target, &g)) return GRAFT_BECAME_OTHER;
    CHECK(graft_frame_make(&g.home, graft_registers_stack(&g.home), call.way_back, &frame));
    if (!graft_write(target, frame.address, frame.bytes, frame.size)) return GRAFT_BECAME_OTHER;
    enum graft_outcome outcome = graft_call_run(&g, &call, &frame, clock_system_ns() + PATIENCE_NS);
    if (outcome == GRAFT_RETURNED) graft_call_end(&g);
    return outcome;
}

static enum graft_outcome send(pid_t target, uint64_t a, uint64_t b) { return send_to(visit, target, a, b); }

static pid_t start(void (*body)(void)) {
    memset(common, 0, sizeof *common);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        body();
        _exit(0);
    }
    while (common->turns == 0) sched_yield();
    return child;
}

/* A target that must still be there, ended by a signal that it does not handle. */
static void end(pid_t child) {
    int status;
    CHECK_EQ(waitpid(child, &status, WNOHANG), 0);
    kill(child, SIGKILL);
    CHECK_EQ(waitpid(child, &status, 0), child);
}

static void wait_for(_Atomic uint64_t *counter, uint64_t value) {
    for (int n = 0; *counter < value && n < 10 * SECOND_MS; n++) poll(NULL, 0, 1);
    CHECK(*counter >= value);
}

/* ------------------------------------------------------------------ targets */

/* The same sums over and over, in registers: any bit that is lost makes another result. */
static void compute(void) {
    uint64_t expected = 0;
    for (;;) {
        double a = 1.0, b = 0.5, c = 0.25, d = 3.0;
        uint64_t mixed = 88172645463325252u;
        for (int i = 0; i < 20000; i++) {
            a = a * 1.0000001 + b;
            b = b * 0.9999999 - c;
            c = c + d * 1e-9;
            mixed ^= mixed << 13;
            mixed ^= mixed >> 7;
            mixed ^= mixed << 17;
        }
        double sum = a + b + c + d;
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        bits ^= mixed;
        if (common->turns++ == 0) expected = bits;
        common->wrong += bits != expected;
    }
}

static void note(int64_t result) {
    common->got = (uint64_t)result;
    common->error = result < 0 ? errno : 0;
    common->ends++;
    for (;;) pause();
}

static void wait_on_epoll(void) {
    struct epoll_event event;
    int epoll = epoll_create1(0), ends[2];
    CHECK(pipe(ends) == 0);
    event = (struct epoll_event){.events = EPOLLIN};
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    common->turns = 1;
    note(epoll_wait(epoll, &event, 1, SECOND_MS));
}

static void wait_on_poll(void) {
    common->turns = 1;
    note(poll(NULL, 0, SECOND_MS));
}

static void wait_asleep(void) {
    struct timespec time = {.tv_sec = 1}, rest = {0};
    common->turns = 1;
    note(nanosleep(&time, &rest));
}

static void wait_on_read(void) {
    int ends[2];
    char byte;
    CHECK(pipe(ends) == 0);
    if (fork() == 0) {
        poll(NULL, 0, SECOND_MS);
        CHECK(write(ends[1], "", 1) == 1);
        _exit(0);
    }
    common->turns = 1;
    note(read(ends[0], &byte, 1));
}

static void on_signal(int signal) { common->ends += signal == SIGUSR1; }

static void wait_for_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    compute();
}

static void wait_on_epoll_with_handler(void) {
    struct sigaction action = {.sa_handler = on_signal};
    struct epoll_event event;
    sigaction(SIGUSR1, &action, NULL);
    common->turns = 1;
    int64_t result = epoll_wait(epoll_create1(0), &event, 1, 20 * SECOND_MS);
    common->error = result < 0 ? errno : 0;
    for (;;) pause();
}

/* ------------------------------------------------------------------ tests */

static void a_thread_that_computes_goes_on_to_the_last_bit(void) {
    pid_t target = start(compute);
    for (uint64_t n = 1; n <= 300; n++) {
        CHECK_EQ(send(target, n, 7 * n), GRAFT_RETURNED);
        CHECK_EQ(common->called, n);
        CHECK_EQ(common->last_argument, 7 * n);
    }
    uint64_t turns = common->turns;
    wait_for(&common->turns, turns + 2);
    CHECK_EQ(common->wrong, 0);
    end(target);
}

/* A call in the kernel ends as it would have; false where it was interrupted. */
static bool visited_while(void (*body)(void), int64_t result) {
    pid_t target = start(body);
    poll(NULL, 0, 50);
    for (int n = 0; n < 20; n++) CHECK_EQ(send(target, 1, 2), GRAFT_RETURNED);
    wait_for(&common->ends, 1);
    bool interrupted = common->error == EINTR;
    if (!interrupted) {
        CHECK_EQ(common->got, result);
        CHECK_EQ(common->error, 0);
    }
    end(target);
    return !interrupted;
}

/* What is begun again with its rest of time is now and then interrupted on a busy machine (docs/attach.md, known limits). */
static void visited_while_time_runs(void (*body)(void)) {
    bool undisturbed = false;
    for (int n = 0; n < 4 && !undisturbed; n++) undisturbed = visited_while(body, 0);
    CHECK(undisturbed);
}

static void calls_that_a_stop_interrupts_end_as_they_would_have(void) {
    CHECK(visited_while(wait_on_epoll, 0));
    visited_while_time_runs(wait_on_poll);
    visited_while_time_runs(wait_asleep);
    CHECK(visited_while(wait_on_read, 1));
}

static void a_stop_alone_is_not_noticed_either(void) {
    pid_t target = start(wait_on_epoll);
    poll(NULL, 0, 50);
    for (int n = 0; n < 20; n++) {
        lacuna_graft_report report = {0};
        graft_all all;
        CHECK_EQ(graft_stop_all(target, PATIENCE_NS, &all, &report), LACUNA_GRAFT_OK);
        CHECK(all.count >= 1); /* a sanitizer may have a thread of its own */
        graft_release_all(&all);
    }
    wait_for(&common->ends, 1);
    CHECK_EQ(common->got, 0);
    CHECK_EQ(common->error, 0);
    end(target);
}

static void signals_that_come_meanwhile_are_delivered(void) {
    pid_t target = start(wait_for_signals);
    for (uint64_t n = 1; n <= 50; n++) {
        graft_guest g;
        CHECK(stop(target, &g));
        kill(target, SIGUSR1);
        graft_release_thread(target);
        wait_for(&common->ends, 2 * n - 1);
        kill(target, SIGUSR1);
        CHECK_EQ(send(target, n, n), GRAFT_RETURNED);
        wait_for(&common->ends, 2 * n);
    }
    CHECK_EQ(common->wrong, 0);
    end(target);
}

static void a_signal_still_interrupts_what_it_would_have(void) {
    pid_t target = start(wait_on_epoll_with_handler);
    poll(NULL, 0, 50);
    CHECK_EQ(send(target, 1, 1), GRAFT_RETURNED);
    poll(NULL, 0, 20);
    kill(target, SIGUSR1);
    wait_for(&common->ends, 1);
    for (int n = 0; common->error == 0 && n < 5 * SECOND_MS; n++) poll(NULL, 0, 1);
    CHECK_EQ(common->error, EINTR);
    end(target);
}

/* The tracer is killed at any moment; the target goes on as if nothing had been. */
static void killed_tracers(void (*body)(void), int times) {
    pid_t target = start(body);
    uint64_t seed = 12345;
    for (int n = 0; n < times; n++) {
        pid_t tracer = fork();
        CHECK(tracer >= 0);
        if (tracer == 0) {
            for (;;) send(target, 3, 4);
        }
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        struct timespec life = {.tv_nsec = (long)((seed >> 33) % 3000000)};
        nanosleep(&life, NULL);
        kill(tracer, SIGKILL);
        CHECK_EQ(waitpid(tracer, NULL, 0), tracer);
    }
    uint64_t turns = common->turns;
    wait_for(&common->turns, turns + 2);
    CHECK_EQ(common->wrong, 0);
    end(target);
}

/* Writes and reads one byte through a pipe, so that it is in the kernel most of the time. */
static void pipe_bytes(void) {
    int there[2], back[2];
    CHECK(pipe(there) == 0 && pipe(back) == 0);
    pid_t parent = getpid();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        uint64_t number;
        while (getppid() == parent && read(there[0], &number, 8) == 8 && write(back[1], &number, 8) == 8) {}
        _exit(0);
    }
    for (uint64_t n = 1;; n++) {
        uint64_t number = 0;
        common->wrong += write(there[1], &n, 8) != 8 || read(back[0], &number, 8) != 8 || number != n;
        common->turns = n;
    }
}

static void a_target_outlives_tracers_that_are_killed(int times) {
    killed_tracers(compute, times);
    killed_tracers(pipe_bytes, times);
}

static void a_tracer_outlives_targets_that_are_killed(int times) {
    for (int n = 0; n < times; n++) {
        pid_t target = start(compute);
        if (fork() == 0) {
            struct timespec life = {.tv_nsec = n * 37000 % 2000000};
            nanosleep(&life, NULL);
            kill(target, SIGKILL);
            _exit(0);
        }
        while (send(target, 1, 1) == GRAFT_RETURNED) {}
        CHECK_EQ(waitpid(target, NULL, __WALL), target);
        CHECK(wait(NULL) > 0);
    }
}

/* Where the first thread is sent to, and stays until the other one has made another program of them. */
static int linger(uint64_t a, uint64_t b) {
    (void)a, (void)b;
    common->called++;
    while (common->called) poll(NULL, 0, SECOND_MS);
    return 0;
}

static void *become_another_once_it_lingers(void *unused) {
    while (common->called == 0) sched_yield();
    execl("/bin/sleep", "sleep", "60", (char *)NULL);
    return unused;
}

static void compute_beside_one_that_goes_on_elsewhere(void) {
    pthread_t other;
    CHECK_EQ(pthread_create(&other, NULL, become_another_once_it_lingers, NULL), 0);
    compute();
}

static void who_becomes_another_program_meanwhile_is_let_go_as_that(void) {
    pid_t target = start(compute_beside_one_that_goes_on_elsewhere);
    graft_process p;
    char path[64], name[32] = "";
    int status;
    pid_t tracer = fork(); /* a parent would see the new program under the old number */
    if (tracer == 0) {
        CHECK_EQ(send_to(linger, target, 1, 2), GRAFT_BECAME_OTHER);
        graft_registers_mend(target);
        graft_release_thread(target);
        _exit(0);
    }
    CHECK_EQ(waitpid(tracer, &status, 0), tracer);
    CHECK_EQ(status, 0);
    snprintf(path, sizeof path, "/proc/%d/comm", target);
    /* The kernel tells of the new program before it has its name. */
    for (int n = 0; n < 10 * SECOND_MS && text_file_read(path, name, sizeof name) && strcmp(name, "sleep\n") != 0; n++)
        poll(NULL, 0, 1);
    CHECK(strcmp(name, "sleep\n") == 0);
    for (int n = 0; n < 10 * SECOND_MS && graft_process_read(target, &p) && p.state != 'S'; n++) poll(NULL, 0, 1);
    CHECK_EQ(p.state, 'S');
    CHECK_EQ(p.tracer, 0);
    end(target);
}

static void a_process_that_is_stopped_stays_stopped_and_is_named(void) {
    lacuna_graft_report report = {0};
    pid_t target = start(compute);
    int status;
    kill(target, SIGSTOP);
    CHECK_EQ(waitpid(target, &status, WUNTRACED), target);
    CHECK_EQ(graft_stop_thread(target, target, PATIENCE_NS, &report), LACUNA_GRAFT_STOPPED);
    uint64_t turns = common->turns;
    poll(NULL, 0, 30);
    CHECK_EQ(common->turns, turns);
    kill(target, SIGCONT);
    wait_for(&common->turns, turns + 2);
    end(target);
}

static void what_runs_under_a_debugger_is_refused(void) {
    lacuna_graft_report report = {0};
    pid_t target = start(compute);
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    pid_t debugger = fork();
    if (debugger == 0) {
        graft_guest g;
        CHECK(stop(target, &g));
        CHECK(write(ready[1], "", 1) == 1);
        for (;;) pause();
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    CHECK_EQ(graft_stop_thread(target, target, PATIENCE_NS, &report), LACUNA_GRAFT_TRACED);
    CHECK_EQ(report.detail, debugger);
    CHECK_EQ(lacuna_graft_look(target, &report), LACUNA_GRAFT_TRACED);
    kill(debugger, SIGKILL);
    CHECK_EQ(waitpid(debugger, NULL, 0), debugger);
    uint64_t turns = common->turns;
    wait_for(&common->turns, turns + 2);
    end(target);
}

/* Yama lets a process trace its descendants only: here brothers do. */
static bool may_trace(void) {
    int scope = 0;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
    if (file && fscanf(file, "%d", &scope) != 1) scope = 0;
    if (file) fclose(file);
    return scope == 0 || geteuid() == 0;
}

int main(void) {
    if (!may_trace()) {
        puts("skipped: Yama keeps processes of one user from tracing one another (ptrace_scope)");
        return 0;
    }
    int kills = getenv("LACUNA_NIGHTLY") ? 200 : 25;
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(common != MAP_FAILED);
    a_thread_that_computes_goes_on_to_the_last_bit();
    calls_that_a_stop_interrupts_end_as_they_would_have();
    a_stop_alone_is_not_noticed_either();
    signals_that_come_meanwhile_are_delivered();
    a_signal_still_interrupts_what_it_would_have();
    a_target_outlives_tracers_that_are_killed(kills);
    a_tracer_outlives_targets_that_are_killed(kills);
    who_becomes_another_program_meanwhile_is_let_go_as_that();
    a_process_that_is_stopped_stays_stopped_and_is_named();
    what_runs_under_a_debugger_is_refused();
    return 0;
}
