#include "graft/call.h"

#include "graft/stop.h"
#include "prim/clock.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* Who holds the lock that the function wants is at work and gives it back in microseconds, unless it is this thread itself. */
#define LOCK_PATIENCE_NS UINT64_C(500000)

/* The call that is begun again ends at once, unless it has to wait for a disk or a device. */
#define END_PATIENCE_NS UINT64_C(200000000)

/* All but those that the processor raises: were they blocked, the kernel would take their handlers away. */
static uint64_t blockable(void) {
    uint64_t spared = 0;
    const int raised[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (unsigned i = 0; i < sizeof raised / sizeof *raised; i++) spared |= UINT64_C(1) << (raised[i] - 1);
    return ~spared;
}

static enum graft_outcome give_up(graft_guest *g, enum graft_outcome why) {
    return graft_registers_abandon(g->thread, &g->home) ? why : GRAFT_UNFINISHED;
}

/* It waits for a lock: for a moment we wait too, then it is called off. */
static enum graft_event await_lock(graft_guest *g, uint64_t deadline_ns, int *signal) {
    uint64_t soon = clock_system_ns() + LOCK_PATIENCE_NS;
    enum graft_event event = graft_next_event(g->thread, soon < deadline_ns ? soon : deadline_ns, signal);
    if (event != GRAFT_LATE) return event;
    if (ptrace(PTRACE_INTERRUPT, g->thread, NULL, NULL) != 0) return GRAFT_ENDED;
    return graft_next_event(g->thread, deadline_ns, signal);
}

static bool was_called_off(const graft_system_call *call) {
    int64_t error = -(int64_t)call->result;
    return call->number == SYS_futex && (error == EINTR || (error >= 512 && error <= 516));
}

/* Follows the thread from one system call to the next until it wants back. */
static enum graft_outcome follow(graft_guest *g, uint64_t deadline_ns) {
    graft_system_call call = {0};
    bool entry = g->in_system_call; /* of the first stop to come: the exit of the call that it stands in, if it does */
    for (;;) {
        int signal = 0;
        bool waits = entry && call.number == SYS_futex;
        if (ptrace(PTRACE_SYSCALL, g->thread, NULL, NULL) != 0) return GRAFT_BECAME_OTHER;
        switch (waits ? await_lock(g, deadline_ns, &signal) : graft_next_event(g->thread, deadline_ns, &signal)) {
            case GRAFT_SYSTEM_CALL:
                entry = !entry;
                if (!graft_system_call_read(g->thread, &call)) return GRAFT_BECAME_OTHER;
                if (entry && graft_system_call_is_way_back(&call)) return GRAFT_RETURNED;
                if (!entry) g->system_call_result = call.result;
                if (!entry && was_called_off(&call)) return give_up(g, GRAFT_WAITS);
                break;
            case GRAFT_INTERRUPTED: break;
            case GRAFT_SIGNAL: return give_up(g, GRAFT_FAULTED);
            case GRAFT_EXEC: return GRAFT_BECAME_OTHER;
            case GRAFT_ENDED: return GRAFT_BECAME_OTHER;
            case GRAFT_LATE: return GRAFT_UNFINISHED;
        }
    }
}

enum graft_outcome graft_call_run(graft_guest *g, const graft_call *call, const graft_frame *frame, uint64_t deadline_ns) {
    uint64_t none = blockable();
    g->system_call_result = 0;
    if (!graft_registers_enter(g->thread, &g->home, call, frame, g->in_system_call)) return GRAFT_BECAME_OTHER;
    /* Only now: the frame gives the mask back, should this be the last that we do. */
    if (ptrace(PTRACE_SETSIGMASK, g->thread, (void *)sizeof none, &none) != 0) return give_up(g, GRAFT_FAULTED);
    enum graft_outcome outcome = follow(g, deadline_ns);
    g->in_system_call = outcome == GRAFT_RETURNED;
    return outcome;
}

/* Who is let go is told that signals may be pending, and a call that begins then ends at once. So the call that was
 * interrupted begins while we still look, and the thread is let go where the kernel sorts such ends out. */
void graft_call_end(graft_guest *g) {
    int signal = 0;
    bool calls_again = graft_registers_restore(g->thread, &g->home);
    if (calls_again && ptrace(PTRACE_INTERRUPT, g->thread, NULL, NULL) == 0 && ptrace(PTRACE_CONT, g->thread, NULL, NULL) == 0) {
        enum graft_event event = graft_next_event(g->thread, clock_system_ns() + END_PATIENCE_NS, &signal);
        if (event == GRAFT_INTERRUPTED) graft_registers_mend(g->thread);
        if (event != GRAFT_SIGNAL) signal = 0;
    }
    ptrace(PTRACE_DETACH, g->thread, NULL, (void *)(intptr_t)signal);
}
