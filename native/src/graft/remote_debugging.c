#include "graft/remote_debugging.h"

#include "graft/memory.h"
#include "graft/offsets.h"
#include "graft/script.h"
#include "graft/stop.h"
#include "prim/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STOP_PATIENCE_NS UINT64_C(100000000)
#define PLEASE_STOP (UINT64_C(1) << 5) /* of eval_breaker */
enum { INTERPRETERS = 1024 };
static const char not_up[] = "Python has not started up yet, or is ending";

/* Where the three writes go. */
typedef struct place {
    uint64_t eval_breaker, pending_call, script_path;
    uint64_t script_path_bytes;
} place;

/* ------------------------------------------------------------------ looking */

static uint64_t main_interpreter(const graft_python *python, const graft_offsets *o) {
    uint64_t interpreter = 0, id = 1;
    graft_read_word(python->pid, python->runtime + o->interpreters_head, &interpreter);
    for (int n = 0; interpreter && n < INTERPRETERS; n++) {
        if (!graft_read_word(python->pid, interpreter + o->interpreter_id, &id)) return 0;
        if (id == 0) return interpreter;
        if (!graft_read_word(python->pid, interpreter + o->interpreter_next, &interpreter)) return 0;
    }
    return 0;
}

static int not_understood(lacuna_graft_report *report, const char *what) {
    return graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "%s", what);
}

static int find_place(const graft_python *python, place *out, lacuna_graft_report *report) {
    uint8_t table[GRAFT_OFFSETS_BYTES];
    graft_offsets o;
    uint64_t state = 0, back = 0, native = 0;
    int32_t enabled = 0;
    if (!graft_read(python->pid, python->runtime, table, sizeof table)) return graft_say_errno(report, errno, "its memory may not be read");
    if (!graft_offsets_parse(table, sizeof table, &o)) return not_understood(report, "Python's table for debuggers is not understood");
    report->python = o.version;
    uint64_t interpreter = main_interpreter(python, &o);
    if (!interpreter) return graft_say(report, LACUNA_GRAFT_BUSY, "%s", not_up);
    if (!graft_read(python->pid, interpreter + o.remote_debugging_enabled, &enabled, sizeof enabled)) {
        return graft_say_errno(report, errno, "its memory may not be read");
    }
    if (enabled == 0) {
        return graft_say(report, LACUNA_GRAFT_SWITCHED_OFF,
                         "remote debugging is switched off there (PYTHON_DISABLE_REMOTE_DEBUG, -X disable-remote-debug)");
    }
    bool right = graft_read_word(python->pid, interpreter + o.threads_main, &state) && state &&
                 graft_read_word(python->pid, state + o.thread_interpreter, &back) && back == interpreter &&
                 graft_read_word(python->pid, state + o.thread_native_id, &native);
    if (!right || enabled != 1) return not_understood(report, "Python's main thread is not where its table for debuggers says");
    *out = (place){state + o.eval_breaker, state + o.support + o.pending_call, state + o.support + o.script_path, o.script_path_bytes};
    return LACUNA_GRAFT_OK;
}

/* Somebody's script that waits for its turn would be lost. One that nobody called for never has its turn: who posted it was
 * killed half way. */
static int check_idle(const graft_python *python, const place *where, lacuna_graft_report *report) {
    int32_t pending = 0;
    uint64_t breaker = 0;
    if (!graft_read(python->pid, where->pending_call, &pending, sizeof pending) ||
        !graft_read_word(python->pid, where->eval_breaker, &breaker)) {
        return graft_say_errno(report, errno, "its memory may not be read");
    }
    bool waits = pending && breaker & PLEASE_STOP;
    return waits ? graft_say(report, LACUNA_GRAFT_BUSY, "another script waits there for the main thread") : LACUNA_GRAFT_OK;
}

int graft_remote_debugging_look(const graft_python *python, lacuna_graft_report *report) {
    place where;
    return find_place(python, &where, report);
}

/* ------------------------------------------------------------------ writing */

typedef struct errand {
    const graft_python *python;
    const char *path;
    lacuna_graft_report *report;
} errand;

static int write_all(const errand *e, const place *where) {
    int32_t pending = 1;
    uint64_t breaker;
    bool done = graft_write(e->python->pid, where->script_path, e->path, strlen(e->path) + 1) &&
                graft_write(e->python->pid, where->pending_call, &pending, sizeof pending) &&
                graft_read_word(e->python->pid, where->eval_breaker, &breaker);
    breaker |= PLEASE_STOP;
    if (done && graft_write(e->python->pid, where->eval_breaker, &breaker, sizeof breaker)) return LACUNA_GRAFT_OK;
    return graft_say_errno(e->report, errno, "its memory may not be written");
}

static int act(const errand *e) {
    place where;
    int code = find_place(e->python, &where, e->report);
    if (code == LACUNA_GRAFT_OK && !graft_python_is_up(e->python)) code = graft_say(e->report, LACUNA_GRAFT_BUSY, "%s", not_up);
    if (code == LACUNA_GRAFT_OK) code = check_idle(e->python, &where, e->report);
    if (code == LACUNA_GRAFT_OK && strlen(e->path) >= where.script_path_bytes) {
        code = graft_say(e->report, LACUNA_GRAFT_NO_ROOM, "the path %s is too long", e->path);
    }
    return code == LACUNA_GRAFT_OK ? write_all(e, &where) : code;
}

/* A thread of its own: when it ends the kernel lets go of everything that it still holds. */
static void *stop_and_write(void *argument) {
    errand *e = argument;
    graft_all all;
    graft_prepare_own_thread();
    if (graft_stop_all(e->python->pid, STOP_PATIENCE_NS, &all, e->report) == LACUNA_GRAFT_OK) {
        e->report->code = act(e);
        uint64_t since = all.since_ns;
        graft_release_all(&all);
        e->report->stopped_ns = clock_system_ns() - since;
    }
    return NULL;
}

int graft_remote_debugging_post(const graft_python *python, const graft_posting *posting, lacuna_graft_report *report) {
    pthread_t thread;
    graft_script script;
    if (graft_script_write(&script, python, posting, report) != LACUNA_GRAFT_OK) return report->code;
    errand e = {.python = python, .path = script.path, .report = report};
    if (pthread_create(&thread, NULL, stop_and_write, &e) != 0) {
        graft_say(report, LACUNA_GRAFT_FAULT, "cannot start a thread");
    } else {
        pthread_join(thread, NULL);
    }
    if (report->code != LACUNA_GRAFT_OK) graft_script_remove(&script);
    return report->code;
}
