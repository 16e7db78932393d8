#include "process/devices.h"

#include "agent/agent.h"
#include "agent/agents.h"
#include "control/control.h"
#include "control/request.h"
#include "device/device.h"
#include "prim/log_line.h"
#include "process/accelerators.h"
#include "process/process.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/*
 * Invariants: every agent of agents.h is also of_device[backend][index] for its device, but where that is a parent's.
 * `served` is true while this process, and not one that it was forked from, has its files. `open_phases` counts the marks
 * that are open. All change under `making`, the numbers of agents.h too; what allocating and freeing read is atomic.
 */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static lacuna_agent *of_device[DEVICE_BACKENDS][LACUNA_MAX_DEVICES];
static bool impossible[DEVICE_BACKENDS][LACUNA_MAX_DEVICES];
static bool served;
static bool watches_forks;
static bool wants_telemetry;
static telemetry *file;
static unsigned open_phases[LACUNA_PHASE_COUNT];
static enum { UNDECIDED, SERVED, ASIDE } hosts_part;

/* ------------------------------------------------------------------ the host's part */

void lacuna_process_stand_aside(void) {
    __atomic_store_n(&hosts_part, ASIDE, __ATOMIC_RELAXED);
}

bool devices_host_is_aside(void) {
    int now = __atomic_load_n(&hosts_part, __ATOMIC_RELAXED);
    if (__builtin_expect(now == UNDECIDED, 0)) {
        int undecided = UNDECIDED;
        now = accelerators_are_here() ? ASIDE : SERVED;
        /* Another thread may have decided meanwhile: what it found holds. */
        if (!__atomic_compare_exchange_n(&hosts_part, &undecided, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) now = undecided;
    }
    return now == ASIDE;
}

/* ------------------------------------------------------------------ fork */

static void before_fork(void) {
    pthread_mutex_lock(&making);
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        if (agents_entered(n)) agent_hold(agents_entered(n));
    }
}

static void after_fork_in_parent(void) {
    for (uint32_t n = LACUNA_MAX_DEVICES; n-- > 0;) {
        if (agents_entered(n)) agent_release(agents_entered(n));
    }
    pthread_mutex_unlock(&making);
}

/* The child keeps the host's blocks, copy-on-write, and lets go of the parent's files; its own come with its first
 * tensor. A device's driver does not survive fork(): its blocks can still be freed, but nothing reaches the driver. */
static void after_fork_in_child(void) {
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *a = agents_entered(n);
        if (!a) continue;
        agent_fork_child(a);
        control_forget(control_of(a));
        if (a != of_device[LACUNA_BACKEND_VIRTUAL][0]) agents_disown(n);
    }
    for (int b = 0; b < DEVICE_BACKENDS; b++) {
        for (int i = 0; b != LACUNA_BACKEND_VIRTUAL && i < (int)LACUNA_MAX_DEVICES; i++) of_device[b][i] = NULL;
    }
    file = NULL;
    __atomic_store_n(&served, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&making);
}

/* ------------------------------------------------------------------ files */

static void join_file(lacuna_agent *joining) {
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        if (agents_entered(n)) agent_lock(agents_entered(n));
    }
    telemetry_share(file);
    for (uint32_t n = LACUNA_MAX_DEVICES; n-- > 0;) {
        if (agents_entered(n)) agent_unlock(agents_entered(n));
    }
    agent_set_telemetry(joining, file);
}

/* A socket without the file beside it would not be found: no telemetry, no control. The table has room for devices to
 * come; readers pass over those that have not published anything. In a forked child the host's agent is there before,
 * and joins whatever device is used first. */
static void open_file(lacuna_agent *first) {
    file = wants_telemetry ? telemetry_open(LACUNA_MAX_DEVICES) : NULL;
    if (!file) return;
    agent_set_telemetry(first, file);
    control_start(first, &request_handler);
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *other = agents_at(n);
        if (other && other != first) join_file(other);
    }
}

/* After the files are there, so that readers see these marks too. */
static void repeat_phases(lacuna_agent *a) {
    for (int phase = 0; phase < LACUNA_PHASE_COUNT; phase++) {
        for (unsigned i = 0; i < open_phases[phase]; i++) lacuna_phase(a, phase, 1);
    }
}

/* ------------------------------------------------------------------ making an agent */

static void give_up(int backend, int index, const char *cause) {
    if (backend == LACUNA_BACKEND_VIRTUAL) {
        log_line("training goes on with the framework's own allocator: %s", cause);
    } else {
        log_line("no memory of %s device %d through Lacuna: %s", device_backend_of(backend)->name, index, cause);
    }
    __atomic_store_n(&impossible[backend][index], true, __ATOMIC_RELAXED);
}

static bool has_real_device(void) {
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        const lacuna_agent *a = agents_entered(n);
        if (a && agent_backend(a) != LACUNA_BACKEND_VIRTUAL) return true;
    }
    return false;
}

/* The device's own index where that is free, else the lowest free number; LACUNA_MAX_DEVICES where none is. The host
 * stands behind all devices where there are any: GPU 0 is number 0. */
static uint32_t free_number(int backend, int index) {
    if (backend == LACUNA_BACKEND_VIRTUAL && has_real_device()) return agents_free_number(true);
    return agents_entered((uint32_t)index) ? agents_free_number(false) : (uint32_t)index;
}

static bool watch_forks(void) {
    if (watches_forks) return true;
    int refused = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    if (refused) errno = refused;
    watches_forks = !refused;
    return watches_forks;
}

static lacuna_agent *make(int backend, int index) {
    uint32_t number = free_number(backend, index);
    if (number == LACUNA_MAX_DEVICES || !watch_forks()) {
        bool full = number == LACUNA_MAX_DEVICES;
        give_up(backend, index, full ? "this process has sixteen devices already" : strerror(errno));
        return NULL;
    }
    process_settings s = process_read_settings();
    lacuna_options options = {
        .capacity_bytes = backend == LACUNA_BACKEND_VIRTUAL ? s.capacity_bytes : process_capacity_cap(),
        .fraction = s.fraction,
        .optimisation = s.optimisation,
        .policy = s.policy,
        .backend = backend,
        .device = index};
    lacuna_agent *made = NULL;
    if (lacuna_open(&options, &made) != LACUNA_OK) {
        give_up(backend, index, lacuna_open_error());
        return NULL;
    }
    wants_telemetry = s.telemetry;
    agent_set_number(made, number);
    return made;
}

/* Makes the agent where it is missing, and the process's files where this process has none yet. */
static lacuna_agent *make_or_serve(int backend, int index) {
    pthread_mutex_lock(&making);
    lacuna_agent *a = of_device[backend][index];
    bool made = false;
    if (!a && !impossible[backend][index]) {
        a = make(backend, index);
        made = a != NULL;
    }
    if (a && !served) {
        open_file(a);
    } else if (made && file) {
        join_file(a);
    }
    if (made) {
        if (backend != LACUNA_BACKEND_VIRTUAL) lacuna_process_stand_aside();
        repeat_phases(a);
        agents_enter(a);
        __atomic_store_n(&of_device[backend][index], a, __ATOMIC_RELEASE);
    }
    if (a) __atomic_store_n(&served, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&making);
    return a;
}

/* ------------------------------------------------------------------ finding one */

static inline lacuna_agent *find_or_make(int backend, int index) {
    lacuna_agent *a = __atomic_load_n(&of_device[backend][index], __ATOMIC_ACQUIRE);
    if (__builtin_expect(a != NULL && __atomic_load_n(&served, __ATOMIC_ACQUIRE), 1)) return a;
    if (__atomic_load_n(&impossible[backend][index], __ATOMIC_RELAXED)) return NULL;
    return make_or_serve(backend, index);
}

lacuna_agent *process_agent(void) { return find_or_make(LACUNA_BACKEND_VIRTUAL, 0); }

static bool is_known(int backend, int index) {
    return backend >= LACUNA_BACKEND_VIRTUAL && backend < DEVICE_BACKENDS && index >= 0 && index < (int)LACUNA_MAX_DEVICES;
}

lacuna_agent *lacuna_process_device(int backend, int index) {
    return is_known(backend, index) ? find_or_make(backend, index) : NULL;
}

lacuna_agent *devices_find(int backend, int index) {
    return is_known(backend, index) ? __atomic_load_n(&of_device[backend][index], __ATOMIC_ACQUIRE) : NULL;
}

lacuna_agent *devices_host(void) {
    return __atomic_load_n(&of_device[LACUNA_BACKEND_VIRTUAL][0], __ATOMIC_ACQUIRE);
}

/* ------------------------------------------------------------------ leaving */

static void leave_files(void) {
    if (file == NULL) return;
    telemetry_retract(file);
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *each = agents_entered(n);
        if (each == NULL || !agent_has_telemetry(each)) continue;
        agent_set_telemetry(each, NULL);
        telemetry_close(file, true);
    }
    file = NULL;
}

/* The socket's thread first: it may be asking for what goes. It takes no lock of this file's. */
void lacuna_process_left(void) {
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *each = agents_entered(n);
        if (each == NULL) continue;
        control_stop(control_of(each));
        lacuna_empty_cache(each);
        agent_forget(each);
    }
    pthread_mutex_lock(&making);
    leave_files();
    memset(open_phases, 0, sizeof open_phases);
    __atomic_store_n(&served, false, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&making);
}

/* ------------------------------------------------------------------ marks */

void lacuna_process_phase(int phase, int begin) {
    if (phase < 0 || phase >= LACUNA_PHASE_COUNT) return;
    pthread_mutex_lock(&making);
    if (begin) open_phases[phase]++;
    else if (open_phases[phase] > 0) open_phases[phase]--;
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *each = agents_at(n);
        if (!each) continue;
        lacuna_phase(each, phase, begin);
        if (phase == LACUNA_PHASE_FORWARD) lacuna_named_phase(each, "forward", begin);
    }
    pthread_mutex_unlock(&making);
}

void lacuna_process_named_phase(const char *name, int begin) {
    pthread_mutex_lock(&making);
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        if (agents_at(n)) lacuna_named_phase(agents_at(n), name, begin);
    }
    pthread_mutex_unlock(&making);
}
