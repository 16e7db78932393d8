#include "process.h"

#include "agent.h"
#include "machine.h"
#include "notice.h"
#include "number.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)
#define MOST_USUAL_BYTES (8192 * MIB)
#define LEAST_USUAL_BYTES (512 * MIB)

/*
 * Invariants: `agent` is set once and never taken back (tensors are freed until the very end of the process);
 * `attached` is true while this process, and not one that it was forked from, has made its files;
 * `open_phases` counts the marks that came before the agent. All but the two flags read on the fast path change
 * under `making`.
 */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static lacuna_agent *agent;
static bool attached;
static bool impossible;
static bool wants_telemetry;
static unsigned open_phases[LACUNA_PHASE_COUNT];

/* ------------------------------------------------------------------ settings */

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static bool read_switch(const char *name, bool otherwise) {
    const char *value = setting(name);
    if (!value) return otherwise;
    if (strcmp(value, "on") == 0) return true;
    if (strcmp(value, "off") == 0) return false;
    notice("%s=%s is neither on nor off; taking %s", name, value, otherwise ? "on" : "off");
    return otherwise;
}

uint64_t process_usual_capacity(uint64_t memory_bytes) {
    uint64_t half = memory_bytes / 2 / (2 * MIB) * (2 * MIB);
    if (half < LEAST_USUAL_BYTES) return LEAST_USUAL_BYTES;
    return half < MOST_USUAL_BYTES ? half : MOST_USUAL_BYTES;
}

static uint64_t read_capacity(void) {
    const char *value = setting("LACUNA_CAPACITY");
    uint64_t bytes = 0;
    if (value && number_size(value, &bytes) && bytes > 0) return bytes;
    uint64_t usual = process_usual_capacity(machine_memory());
    if (value) {
        notice("LACUNA_CAPACITY=%s is not a size like 512MiB or 8GiB; taking %" PRIu64 "MiB", value, usual / MIB);
    }
    return usual;
}

static double read_fraction(void) {
    const char *value = setting("LACUNA_FRACTION");
    double fraction = 0;
    if (!value) return 1.0;
    if (number_decimal(value, &fraction) && number_is_fraction(fraction)) return fraction;
    notice("LACUNA_FRACTION=%s is not a number above 0 and at most 1; taking 1", value);
    return 1.0;
}

static bool read_optimisation(void) {
    const char *fragmentation = setting("MEMORY_FRAGMENTATION");
    return read_switch("LACUNA_OPTIMISATION", !fragmentation || strcmp(fragmentation, "0") != 0);
}

process_settings process_read_settings(void) {
    return (process_settings){.capacity_bytes = read_capacity(),
                              .fraction = read_fraction(),
                              .optimisation = read_optimisation(),
                              .telemetry = read_switch("LACUNA_TELEMETRY", true)};
}

/* ------------------------------------------------------------------ fork */

static void before_fork(void) {
    pthread_mutex_lock(&making);
    agent_lock(agent);
}

static void after_fork_in_parent(void) {
    agent_unlock(agent);
    pthread_mutex_unlock(&making);
}

/* The child keeps the blocks, copy-on-write, and lets go of the parent's files; its own come with its first tensor. */
static void after_fork_in_child(void) {
    agent_fork_child(agent);
    __atomic_store_n(&attached, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&making);
}

/* ------------------------------------------------------------------ making and attaching */

static void make(void) {
    process_settings s = process_read_settings();
    lacuna_options options = {.capacity_bytes = s.capacity_bytes,
                              .fraction = s.fraction,
                              .optimisation = s.optimisation,
                              .backend = LACUNA_BACKEND_VIRTUAL};
    lacuna_agent *made = NULL;
    int status = lacuna_open(&options, &made);
    int refused = status == LACUNA_OK ? pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) : 0;
    if (status != LACUNA_OK || refused) {
        const char *cause = refused ? strerror(refused) : status == LACUNA_SYSTEM ? strerror(errno) : "invalid settings";
        notice("training goes on with the framework's own allocator: %s", cause);
        if (made) lacuna_close(made);
        __atomic_store_n(&impossible, true, __ATOMIC_RELAXED);
        return;
    }
    wants_telemetry = s.telemetry;
    __atomic_store_n(&agent, made, __ATOMIC_RELEASE);
}

/* A socket without the file beside it would not be found: no telemetry, no control. */
static void attach(void) {
    telemetry *t = wants_telemetry ? telemetry_open(1) : NULL;
    if (t) {
        agent_set_telemetry(agent, t);
        control *c = control_start(agent);
        if (c) agent_set_control(agent, c);
    }
}

/* After the files are there, so that readers see these marks too. */
static void repeat_phases(void) {
    for (int phase = 0; phase < LACUNA_PHASE_COUNT; phase++) {
        for (; open_phases[phase] > 0; open_phases[phase]--) lacuna_phase(agent, phase, 1);
    }
}

static lacuna_agent *make_or_attach(void) {
    pthread_mutex_lock(&making);
    if (!agent && !impossible) make();
    if (agent && !attached) {
        attach();
        repeat_phases();
        __atomic_store_n(&attached, true, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&making);
    return agent;
}

lacuna_agent *process_agent(void) {
    if (__builtin_expect(__atomic_load_n(&attached, __ATOMIC_ACQUIRE), 1)) return agent;
    if (__atomic_load_n(&impossible, __ATOMIC_RELAXED)) return NULL;
    return make_or_attach();
}

lacuna_agent *lacuna_process_agent(void) { return __atomic_load_n(&agent, __ATOMIC_ACQUIRE); }

/* ------------------------------------------------------------------ marks and the end */

void lacuna_process_phase(int phase, int begin) {
    if (phase < 0 || phase >= LACUNA_PHASE_COUNT) return;
    lacuna_agent *running = lacuna_process_agent();
    if (!running) {
        pthread_mutex_lock(&making);
        running = agent;
        if (!running && begin) open_phases[phase]++;
        else if (!running && open_phases[phase] > 0) open_phases[phase]--;
        pthread_mutex_unlock(&making);
    }
    if (running) lacuna_phase(running, phase, begin);
}

void process_farewell(void) {
    telemetry_farewell();
    control_farewell();
}
