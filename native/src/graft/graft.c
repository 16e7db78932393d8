/*
 * A look and a run: everything that speaks against it is found before the process is touched.
 */
#include "graft/filters.h"
#include "graft/maps.h"
#include "graft/pending_call.h"
#include "graft/process.h"
#include "graft/python.h"
#include "graft/remote_debugging.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

enum { LONGEST_TEXT = 4 << 20, STRICT = 1 };

/* ------------------------------------------------------------------ what speaks against it */

static bool is_of_user(const graft_process *p) {
    uid_t self = geteuid();
    return p->uid[0] == self && p->uid[1] == self && p->uid[2] == self;
}

static int judge_state(const graft_process *p, lacuna_graft_report *report) {
    report->detail = p->tracer;
    if (p->state == 'Z' || p->state == 'X') return graft_say(report, LACUNA_GRAFT_ZOMBIE, "it has ended; its parent has not noticed");
    if (p->tracer) return graft_say(report, LACUNA_GRAFT_TRACED, "process %d traces it", p->tracer);
    if (p->state == 't') return graft_say(report, LACUNA_GRAFT_TRACED, "another process traces it");
    if (p->state == 'T') return graft_say(report, LACUNA_GRAFT_STOPPED, "it has been stopped");
    if (p->seccomp == STRICT) return graft_say(report, LACUNA_GRAFT_SECCOMP, "it may only read, write and end (seccomp)");
    if (p->shadow_stack) return graft_say(report, LACUNA_GRAFT_OTHER_MACHINE_CODE, "it keeps a shadow stack");
    return LACUNA_GRAFT_OK;
}

static int judge(int32_t pid, const graft_process *p, graft_python *python, lacuna_graft_report *report) {
    if (!is_of_user(p)) {
        report->detail = (int32_t)p->uid[1];
        return graft_say(report, LACUNA_GRAFT_OTHER_USER, "it belongs to user %ld", (long)p->uid[1]);
    }
    if (p->kernel) return graft_say(report, LACUNA_GRAFT_NOT_PYTHON, "it is a thread of the kernel");
    int code = judge_state(p, report);
    if (code == LACUNA_GRAFT_OK) code = graft_python_find(pid, p->own_pid, python, report);
    if (code == LACUNA_GRAFT_OK && report->way == LACUNA_GRAFT_REMOTE_DEBUGGING) code = graft_remote_debugging_look(python, report);
    if (code == LACUNA_GRAFT_OK && !graft_filters_look(pid, p)) {
        code = graft_say(report, LACUNA_GRAFT_SECCOMP, "it may be killed for a system call that attaching makes (seccomp)");
    }
    return code;
}

static int look(int32_t pid, uint64_t start_ticks, graft_python *python, lacuna_graft_report *report) {
    graft_process p;
    memset(report, 0, sizeof *report);
    if (pid <= 0 || !graft_process_read(pid, &p)) {
        return graft_say(report, LACUNA_GRAFT_NO_PROCESS, "there is no process %d", pid);
    }
    report->start_ticks = p.start_ticks;
    if (start_ticks != 0 && start_ticks != p.start_ticks) {
        return graft_say(report, LACUNA_GRAFT_OTHER_PROCESS, "process %d is another one by now", pid);
    }
    if (pid == getpid()) return graft_say(report, LACUNA_GRAFT_NOT_PERMITTED, "a process cannot trace itself");
    return judge(pid, &p, python, report);
}

/* For a moment a process that is ending is still shown at work, with nothing mapped. */
static bool has_memory(int32_t pid) {
    graft_maps maps;
    if (!graft_maps_read(pid, &maps)) return true; /* who may not look cannot tell */
    bool some = maps.count > 0;
    graft_maps_free(&maps);
    return some;
}

/* A process that ended while it was looked at says all sorts of things about itself. */
static int settle(int32_t pid, lacuna_graft_report *report) {
    graft_process now;
    bool there = graft_process_read(pid, &now) && now.start_ticks == report->start_ticks;
    bool odd = report->code != LACUNA_GRAFT_OK && report->code != LACUNA_GRAFT_NO_PROCESS && report->code != LACUNA_GRAFT_OTHER_PROCESS;
    bool ends = odd && there && now.state != 'Z' && !now.kernel && !has_memory(pid);
    if (ends || (odd && !there)) return graft_say(report, LACUNA_GRAFT_GONE, "it ended meanwhile");
    if (there && now.state == 'Z' && odd) return graft_say(report, LACUNA_GRAFT_ZOMBIE, "it has ended; its parent has not noticed");
    return report->code;
}

API int lacuna_graft_look(int32_t pid, lacuna_graft_report *report) {
    graft_python python;
    if (look(pid, 0, &python, report) == LACUNA_GRAFT_OK) {
        graft_say(report, LACUNA_GRAFT_OK, "Python %u.%u can run a text", report->python >> 8, report->python & 0xff);
    }
    return settle(pid, report);
}

/* ------------------------------------------------------------------ one at a time */

/* A name that only one socket of this machine has, and that goes with its owner. -1: reported. */
static int take_turn(int32_t pid, uint64_t start_ticks, lacuna_graft_report *report) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "lacuna-graft-%ld-%d-%llu", (long)geteuid(), pid,
                          (unsigned long long)start_ticks);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&name, bytes) == 0) return fd;
    int error = errno;
    if (fd >= 0) close(fd);
    if (fd >= 0 && error == EADDRINUSE) return graft_say(report, LACUNA_GRAFT_BUSY, "another attach is under way"), -1;
    report->detail = error;
    return graft_say(report, LACUNA_GRAFT_FAULT, "no socket can be made by this program: %s", strerror(error)), -1;
}

static int check(const graft_posting *posting, lacuna_graft_report *report) {
    bool fits = posting->bytes > 0 && posting->bytes <= LONGEST_TEXT;
    if (fits && graft_wrap_takes(posting->refused)) return LACUNA_GRAFT_OK;
    report->detail = EINVAL;
    return graft_say(report, LACUNA_GRAFT_FAULT, "%s",
                     fits ? "the path for a refusal is no plain one" : "a text has at least one byte and at most 4 MiB");
}

static int post(const graft_python *python, const graft_posting *posting, lacuna_graft_report *report) {
    if (report->way == LACUNA_GRAFT_REMOTE_DEBUGGING) return graft_remote_debugging_post(python, posting, report);
    return graft_pending_call_post(python, posting, report);
}

API int lacuna_graft_run(int32_t pid, uint64_t start_ticks, const char *python_text, uint64_t bytes, const char *refused,
                         lacuna_graft_report *report) {
    graft_python python;
    graft_posting posting = {python_text, bytes, refused ? refused : ""};
    if (look(pid, start_ticks, &python, report) != LACUNA_GRAFT_OK) return settle(pid, report);
    if (check(&posting, report) != LACUNA_GRAFT_OK) return report->code;
    int turn = take_turn(pid, report->start_ticks, report);
    if (turn < 0) return report->code;
    if (post(&python, &posting, report) == LACUNA_GRAFT_OK) {
        graft_say(report, LACUNA_GRAFT_OK, "posted; Python %u.%u runs it when its main thread is next in Python", report->python >> 8,
                  report->python & 0xff);
    }
    close(turn);
    return settle(pid, report);
}

API uint32_t lacuna_graft_report_bytes(void) { return (uint32_t)sizeof(lacuna_graft_report); }
