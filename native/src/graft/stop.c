#include "graft/stop.h"

#include "graft/machine.h"
#include "graft/process.h"
#include "prim/clock.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

/* ------------------------------------------------------------------ events */

/* Of a stop as waitid() tells it: the signal, and above it what ptrace has to say. */
static enum graft_event event_of(int stop, int *signal) {
    *signal = stop & 0xff;
    if (stop >> 8 == PTRACE_EVENT_STOP) return GRAFT_INTERRUPTED;
    if (stop >> 8 == PTRACE_EVENT_EXEC) return GRAFT_EXEC;
    return *signal == (SIGTRAP | 0x80) ? GRAFT_SYSTEM_CALL : GRAFT_SIGNAL;
}

/* What a thread has to tell: 0 nothing yet, -1 it is gone, 1 a stop. An end is only looked at: where the target is a child of
 * this process, its status belongs to who waits for it; else the kernel hands it on when our thread ends. */
static int peek(int32_t thread, int *stop) {
    siginfo_t about = {0};
    if (waitid(P_PID, (id_t)thread, &about, WSTOPPED | WNOHANG | __WALL) == 0 && about.si_pid != 0) {
        *stop = about.si_status;
        return 1;
    }
    about.si_pid = 0;
    if (waitid(P_PID, (id_t)thread, &about, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return errno == EINTR ? 0 : -1;
    /* A stop shows here too, asked for or not. */
    return about.si_pid != 0 && about.si_code != CLD_TRAPPED && about.si_code != CLD_STOPPED ? -1 : 0;
}

enum graft_event graft_next_event(int32_t thread, uint64_t deadline_ns, int *signal) {
    const struct timespec nap = {.tv_nsec = 20000};
    for (int turn = 0;; turn++) {
        int stop = 0, told = peek(thread, &stop);
        if (told > 0) return event_of(stop, signal);
        if (told < 0) return GRAFT_ENDED;
        if (clock_system_ns() >= deadline_ns) return GRAFT_LATE;
        if (turn < 64) sched_yield();
        else nanosleep(&nap, NULL);
    }
}

/* ------------------------------------------------------------------ one */

void graft_prepare_own_thread(void) {
    const struct sched_param lowest = {.sched_priority = 1};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &lowest);
}

static int refused(int32_t pid, int error, lacuna_graft_report *report) {
    graft_process now;
    if (error == EPERM && graft_process_read(pid, &now) && now.tracer != 0) {
        report->detail = now.tracer;
        return graft_say(report, LACUNA_GRAFT_TRACED, "process %d traces it", now.tracer);
    }
    return graft_say_errno(report, error, "it may not be traced");
}

static bool is_stop_signal(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static int await_stop(int32_t thread, uint64_t deadline_ns, lacuna_graft_report *report) {
    for (;;) {
        int signal = 0;
        switch (graft_next_event(thread, deadline_ns, &signal)) {
            case GRAFT_INTERRUPTED:
                if (!is_stop_signal(signal)) return LACUNA_GRAFT_OK;
                graft_release_thread(thread);
                return graft_say(report, LACUNA_GRAFT_STOPPED, "it has been stopped");
            case GRAFT_SIGNAL: ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal); break;
            case GRAFT_SYSTEM_CALL: ptrace(PTRACE_CONT, thread, NULL, NULL); break;
            case GRAFT_EXEC:
                graft_release_thread(thread);
                return graft_say(report, LACUNA_GRAFT_GONE, "it became another program");
            case GRAFT_ENDED: return graft_say(report, LACUNA_GRAFT_GONE, "it ended meanwhile");
            case GRAFT_LATE: return graft_say(report, LACUNA_GRAFT_BUSY, "thread %d did not come out of the kernel", thread);
        }
    }
}

int graft_stop_thread(int32_t pid, int32_t thread, uint64_t patience_ns, lacuna_graft_report *report) {
    const uintptr_t options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC;
    if (ptrace(PTRACE_SEIZE, thread, NULL, (void *)options) != 0) return refused(pid, errno, report);
    if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0) return graft_say_errno(report, errno, "it cannot be stopped");
    return graft_await_thread(thread, patience_ns, report);
}

int graft_await_thread(int32_t thread, uint64_t patience_ns, lacuna_graft_report *report) {
    return await_stop(thread, clock_system_ns() + patience_ns, report);
}

void graft_release_thread(int32_t thread) { ptrace(PTRACE_DETACH, thread, NULL, NULL); }

/* ------------------------------------------------------------------ all */

static bool holds(const graft_all *all, int32_t thread) {
    for (int32_t i = 0; i < all->count; i++) {
        if (all->threads[i] == thread) return true;
    }
    return false;
}

static bool add(graft_all *all, int32_t thread) {
    int32_t *more = realloc(all->threads, (size_t)(all->count + 1) * sizeof *more);
    if (!more) return false;
    all->threads = more;
    all->threads[all->count++] = thread;
    return true;
}

/* Seizes what is not held yet. Returns how many those were, or -1 with the code in the report. */
static int seize_new(int32_t pid, graft_all *all, lacuna_graft_report *report) {
    char path[64];
    int found = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    if (!threads) return graft_say_errno(report, errno == ENOENT ? ESRCH : errno, "its threads are not shown"), -1;
    for (const struct dirent *e = readdir(threads); e && found >= 0; e = readdir(threads)) {
        int32_t thread = (int32_t)strtol(e->d_name, NULL, 10);
        if (thread <= 0 || holds(all, thread)) continue;
        if (ptrace(PTRACE_SEIZE, thread, NULL, (void *)(uintptr_t)PTRACE_O_TRACESYSGOOD) != 0) {
            if (errno == ESRCH) continue; /* it has just ended */
            refused(pid, errno, report);
            found = -1;
        } else if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || !add(all, thread)) {
            graft_say(report, LACUNA_GRAFT_FAULT, "no memory for a list of threads");
            found = -1;
        } else {
            found++;
        }
    }
    closedir(threads);
    return found;
}

/* A thread deep in the kernel stops before it sees the program's memory again: as good as stopped. */
static bool sleeps_in_kernel(int32_t pid, int32_t thread) {
    char state = graft_thread_state(pid, thread);
    return state == 'D' || state == 'Z' || state == 'X' || state == 0;
}

static int await_all(int32_t pid, graft_all *all, int32_t from, uint64_t deadline_ns, lacuna_graft_report *report) {
    for (int32_t i = from; i < all->count; i++) {
        lacuna_graft_report one = *report;
        int code = await_stop(all->threads[i], deadline_ns, &one);
        bool main_thread = all->threads[i] == pid;
        if (code == LACUNA_GRAFT_OK && all->since_ns == 0) all->since_ns = clock_system_ns();
        if (code == LACUNA_GRAFT_OK || (code == LACUNA_GRAFT_GONE && !main_thread)) continue;
        if (code == LACUNA_GRAFT_BUSY && sleeps_in_kernel(pid, all->threads[i])) continue;
        *report = one;
        return code;
    }
    return LACUNA_GRAFT_OK;
}

int graft_stop_all(int32_t pid, uint64_t patience_ns, graft_all *out, lacuna_graft_report *report) {
    uint64_t deadline = clock_system_ns() + patience_ns;
    *out = (graft_all){0};
    for (;;) {
        int32_t before = out->count;
        int found = seize_new(pid, out, report);
        int code = found < 0 ? report->code : await_all(pid, out, before, deadline, report);
        if (code != LACUNA_GRAFT_OK) {
            graft_release_all(out);
            return code;
        }
        if (found == 0) return LACUNA_GRAFT_OK;
    }
}

void graft_release_all(graft_all *all) {
    for (int32_t i = 0; i < all->count; i++) {
        graft_registers_mend(all->threads[i]);
        graft_release_thread(all->threads[i]);
    }
    free(all->threads);
    *all = (graft_all){0};
}
