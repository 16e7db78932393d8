#include "graft/pending_call.h"

#include "graft/call.h"
#include "graft/memory.h"
#include "graft/stop.h"
#include "prim/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <time.h>

#define STOP_PATIENCE_NS UINT64_C(300000000)  /* for a thread to come out of the kernel; it works on meanwhile */
#define CALL_PATIENCE_NS UINT64_C(1000000000) /* other threads may hold what mmap needs */
#define STACK_BYTES UINT64_C(131072)
#define STACK_GROWTH (UINT64_C(8) << 20)
enum { TRIES = 6, WRAPPER_ROOM = 4096, PAGE = 4096, CODE_PIECE = 1 << 18 };

/* Invariants: `mapping` is 0 until the target has mapped it; `code` of the report is what came of the last try. */
typedef struct errand {
    const graft_python *python;
    const graft_posting *posting;
    uint64_t mapping, mapping_bytes;
    uint64_t way_back;
    bool unfinished; /* it comes back by itself, and must not be asked again */
    bool is_late;    /* its main thread was asked to stop and has not yet: it is still ours */
    lacuna_graft_report *report;
    graft_guest guest;
    graft_frame frame;
} errand;

/* ------------------------------------------------------------------ before the stop */

static uint64_t find_way_back(const graft_python *python) {
    enum { OVERLAP = 16 };
    uint8_t *piece = malloc(CODE_PIECE + OVERLAP);
    uint64_t found = 0;
    for (uint64_t at = python->code; piece && at < python->code_end && !found; at += CODE_PIECE) {
        size_t bytes = python->code_end - at < CODE_PIECE + OVERLAP ? (size_t)(python->code_end - at) : CODE_PIECE + OVERLAP;
        if (!graft_read(python->pid, at, piece, bytes)) break;
        size_t offset = graft_way_back_in(piece, bytes);
        if (offset != SIZE_MAX) found = at + offset;
    }
    free(piece);
    return found;
}

static uint64_t whole_pages(uint64_t bytes) { return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/* ------------------------------------------------------------------ while it stands still */

/* A block of code that must not be left half way may be under way (man 2 rseq): the kernel would begin it anew, but not where
 * it sees another address. */
static bool is_in_restartable_code(const errand *e) {
    enum { GET_PLACE = 0x420f, BLOCK = 8 }; /* PTRACE_GET_RSEQ_CONFIGURATION, which headers have since 2021; offset in struct rseq */
    struct {
        uint64_t area;
        uint32_t size, signature, flags, padding;
    } place = {0};
    struct {
        uint32_t version, flags;
        uint64_t start, length, abort;
    } block;
    uint64_t described = 0;
    if (ptrace((enum __ptrace_request)GET_PLACE, e->guest.thread, (void *)sizeof place, &place) <= 0 || place.area == 0) return false;
    return graft_read_word(e->python->pid, place.area + BLOCK, &described) && described != 0 &&
           graft_read(e->python->pid, described, &block, sizeof block) &&
           graft_registers_code(&e->guest.home) - block.start < block.length;
}

/* On a stack that somebody made the frame may lie over other data. */
static bool is_on_its_stack(const errand *e) {
    uint64_t at = graft_registers_stack(&e->guest.home);
    return at < e->python->stack_end && at + STACK_GROWTH > e->python->stack + GRAFT_FRAME_BYTES;
}

static int say_outcome(errand *e, enum graft_outcome outcome) {
    switch (outcome) {
        case GRAFT_RETURNED: return LACUNA_GRAFT_OK;
        case GRAFT_WAITS: return graft_say(e->report, LACUNA_GRAFT_BUSY, "Python's list of pending calls is locked");
        case GRAFT_FAULTED:
            e->report->detail = EFAULT;
            return graft_say(e->report, LACUNA_GRAFT_FAULT, "the call into the process failed; it was put back to where it was");
        case GRAFT_BECAME_OTHER: return graft_say(e->report, LACUNA_GRAFT_GONE, "it ended, or became another program");
        case GRAFT_UNFINISHED:
            e->unfinished = true;
            return graft_say(e->report, LACUNA_GRAFT_BUSY, "the call did not come back in time; it will by itself");
    }
    return e->report->code;
}

static int run(errand *e, const graft_call *call) {
    if (!graft_write(e->python->pid, e->frame.address, e->frame.bytes, e->frame.size)) {
        /* Only a thread itself has its stack grow (others could until Linux 6.5): it does when it goes up and down again. */
        if (errno == EFAULT && !e->mapping) return graft_say(e->report, LACUNA_GRAFT_BUSY, "its stack has to grow first");
        return graft_say_errno(e->report, errno, "its stack cannot be written");
    }
    return say_outcome(e, graft_call_run(&e->guest, call, &e->frame, clock_system_ns() + CALL_PATIENCE_NS));
}

static bool make_frame(errand *e, uint64_t top) { return graft_frame_make(&e->guest.home, top, e->way_back, &e->frame); }

/* mmap(), on the thread's own stack below what it uses. */
static int map(errand *e) {
    graft_call call = {e->python->mmap, {0, e->mapping_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1, 0},
                       e->way_back};
    if (!make_frame(e, graft_registers_stack(&e->guest.home))) {
        return graft_say(e->report, LACUNA_GRAFT_OTHER_MACHINE_CODE, "this processor's registers are not known");
    }
    int code = run(e, &call);
    if (code != LACUNA_GRAFT_OK) return code;
    int64_t result = (int64_t)e->guest.system_call_result;
    if (result > 0 || result < -4095) {
        e->mapping = (uint64_t)result;
        return LACUNA_GRAFT_OK;
    }
    e->report->detail = (int32_t)-result;
    int why = result == -ENOMEM || result == -EAGAIN ? LACUNA_GRAFT_NO_ROOM : LACUNA_GRAFT_SECCOMP; /* a filter may say anything */
    return graft_say(e->report, why, "the process may not map memory: %s", strerror((int)-result));
}

static int lay_down(errand *e) {
    char *wrapper = graft_wrap_memory(e->python->own_pid, e->posting, e->mapping + WRAPPER_ROOM, e->mapping, e->mapping_bytes);
    size_t size = wrapper ? strlen(wrapper) + 1 : WRAPPER_ROOM + 1;
    bool fits = size <= WRAPPER_ROOM;
    bool done = fits && graft_write(e->python->pid, e->mapping, wrapper, size) &&
                graft_write(e->python->pid, e->mapping + WRAPPER_ROOM, e->posting->text, e->posting->bytes);
    free(wrapper);
    if (done) return LACUNA_GRAFT_OK;
    return graft_say_errno(e->report, fits ? errno : ENOMEM, "the text cannot be written");
}

/* Py_AddPendingCall(), on a stack of its own: what waits for a lock there may be given up without harm to the thread's. */
static int post(errand *e) {
    graft_call call = {e->python->add_pending_call, {e->python->run_simple_string, e->mapping}, e->way_back};
    int code = lay_down(e);
    if (code != LACUNA_GRAFT_OK) return code;
    if (!make_frame(e, e->mapping + e->mapping_bytes)) return graft_say(e->report, LACUNA_GRAFT_FAULT, "no room for registers");
    return run(e, &call);
}

static int act(errand *e) {
    if (!graft_python_is_there(e->python)) return graft_say(e->report, LACUNA_GRAFT_GONE, "it became another program");
    if (!graft_python_is_up(e->python)) return graft_say(e->report, LACUNA_GRAFT_BUSY, "Python has not started up yet, or is ending");
    if (!graft_registers_read(e->guest.thread, &e->guest.home)) return graft_say_errno(e->report, errno, "its registers cannot be read");
    if (is_in_restartable_code(e)) return graft_say(e->report, LACUNA_GRAFT_BUSY, "it was in code that must not be interrupted");
    if (!is_on_its_stack(e)) return graft_say(e->report, LACUNA_GRAFT_BUSY, "its main thread runs on a stack of its own making");
    int code = e->mapping ? LACUNA_GRAFT_OK : map(e);
    return code == LACUNA_GRAFT_OK ? post(e) : code;
}

static void try_once(errand *e) {
    int32_t pid = e->python->pid;
    e->guest.thread = pid;
    e->guest.in_system_call = false;
    int code = e->is_late ? graft_await_thread(pid, STOP_PATIENCE_NS, e->report) : graft_stop_thread(pid, pid, STOP_PATIENCE_NS, e->report);
    e->is_late = code == LACUNA_GRAFT_BUSY;
    if (code != LACUNA_GRAFT_OK) return;
    uint64_t stopped = clock_system_ns();
    e->report->code = act(e);
    if (e->guest.in_system_call) {
        graft_call_end(&e->guest);
    } else {
        graft_registers_mend(pid);
        graft_release_thread(pid);
    }
    uint64_t length = clock_system_ns() - stopped;
    if (length > e->report->stopped_ns) e->report->stopped_ns = length;
}

/* ------------------------------------------------------------------ in a thread of our own */

/* Ptrace asks for one thread, and lets go when it ends: whatever is left undone here, the process goes on. */
static void *try_some_times(void *argument) {
    errand *e = argument;
    const struct timespec pause = {.tv_nsec = 1000000};
    graft_prepare_own_thread();
    for (int n = 0; n < TRIES; n++) {
        try_once(e);
        if (e->report->code != LACUNA_GRAFT_BUSY || e->unfinished) break;
        nanosleep(&pause, NULL);
    }
    return NULL;
}

int graft_pending_call_post(const graft_python *python, const graft_posting *posting, lacuna_graft_report *report) {
    pthread_t thread;
    errand *e = calloc(1, sizeof *e);
    if (!e) return graft_say(report, LACUNA_GRAFT_FAULT, "no memory");
    *e = (errand){.python = python, .posting = posting, .report = report};
    e->mapping_bytes = whole_pages(WRAPPER_ROOM + posting->bytes) + STACK_BYTES;
    e->way_back = find_way_back(python);
    if (!e->way_back) {
        graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "its C library has no code that returns from signal handlers");
    } else if (pthread_create(&thread, NULL, try_some_times, e) != 0) {
        graft_say(report, LACUNA_GRAFT_FAULT, "cannot start a thread");
    } else {
        pthread_join(thread, NULL);
    }
    free(e);
    return report->code;
}
