/* The process's own agent: settings, the first allocation, fork. */
#include "agent/agent.h"
#include "expect.h"
#include "prim/machine.h"
#include "process/devices.h"
#include "process/process.h"

#include <sys/wait.h>

/* ThreadSanitizer: children of a process with threads start a thread of their own here. */
LACUNA_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

static process_settings settings;
static void read_them(void) { settings = process_read_settings(); }

static void clear(void) {
    const char *names[] = {"LACUNA_CAPACITY", "LACUNA_FRACTION", "LACUNA_OPTIMISATION", "LACUNA_TELEMETRY",
                           "LACUNA_POLICY", "MEMORY_FRAGMENTATION"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unsetenv(names[i]);
}

static void expect_settings(uint64_t capacity, double fraction, bool optimisation, bool telemetry, int lines) {
    char text[1024];
    hear(text, sizeof text, read_them);
    EXPECT(settings.capacity_bytes == capacity && settings.fraction == fraction);
    EXPECT(settings.optimisation == optimisation && settings.telemetry == telemetry);
    EXPECT(lines_of(text) == lines);
}

static uint64_t usual(void) { return process_usual_capacity(machine_memory()); }

static void settings_have_the_documented_defaults(void) {
    clear();
    expect_settings(usual(), 1.0, true, true, 0);
}

static void the_usual_capacity_is_half_of_the_memory_within_bounds(void) {
    const uint64_t mib = 1 << 20;
    EXPECT(process_usual_capacity(64 * 1024 * mib) == 8192 * mib && process_usual_capacity(UINT64_MAX) == 8192 * mib);
    EXPECT(process_usual_capacity(4096 * mib + 3 * mib) == 2048 * mib);
    EXPECT(process_usual_capacity(600 * mib) == 512 * mib && process_usual_capacity(0) == 512 * mib);
    EXPECT(machine_memory() > 0 && machine_memory() < UINT64_MAX);
}

static void settings_come_from_the_environment(void) {
    clear();
    setenv("LACUNA_CAPACITY", "20MiB", 1);
    setenv("LACUNA_FRACTION", "0.94", 1);
    setenv("LACUNA_OPTIMISATION", "off", 1);
    setenv("LACUNA_TELEMETRY", "off", 1);
    expect_settings(20u << 20, 0.94, false, false, 0);
    setenv("LACUNA_CAPACITY", "", 1);
    expect_settings(usual(), 0.94, false, false, 0);
}

static void malformed_settings_are_named_and_the_defaults_taken(void) {
    clear();
    setenv("LACUNA_CAPACITY", "lots", 1);
    setenv("LACUNA_FRACTION", "1.5", 1);
    setenv("LACUNA_OPTIMISATION", "yes", 1);
    setenv("LACUNA_TELEMETRY", "1", 1);
    expect_settings(usual(), 1.0, true, true, 4);
    setenv("LACUNA_CAPACITY", "0", 1);
    expect_settings(usual(), 1.0, true, true, 4);
}

static void memory_fragmentation_is_the_same_switch(void) {
    clear();
    setenv("MEMORY_FRAGMENTATION", "1", 1);
    expect_settings(usual(), 1.0, true, true, 0);
    setenv("MEMORY_FRAGMENTATION", "0", 1);
    expect_settings(usual(), 1.0, false, true, 0);
    setenv("LACUNA_OPTIMISATION", "on", 1);
    expect_settings(usual(), 1.0, true, true, 0);
}

static void mindspeeds_rules_are_chosen_by_name(void) {
    clear();
    expect_settings(usual(), 1.0, true, true, 0);
    EXPECT(settings.policy == LACUNA_POOL_POLICY_SEGREGATED);
    setenv("LACUNA_POLICY", "lifetime", 1);
    expect_settings(usual(), 1.0, true, true, 0);
    EXPECT(settings.policy == LACUNA_POOL_POLICY_LIFETIME);
    setenv("LACUNA_POLICY", "mindspeed", 1);
    expect_settings(usual(), 1.0, true, true, 1);
    EXPECT(settings.policy == LACUNA_POOL_POLICY_SEGREGATED);
}

static lacuna_device_counters counters(void) {
    lacuna_device_counters c;
    EXPECT(lacuna_counters(process_agent(), &c) == LACUNA_OK);
    return c;
}

static void nothing_exists_before_the_first_allocation(void) {
    clear();
    setenv("LACUNA_CAPACITY", "64MiB", 1);
    lacuna_process_phase(LACUNA_PHASE_SETUP, 1);
    lacuna_process_phase(LACUNA_PHASE_FORWARD, 1);
    lacuna_process_phase(LACUNA_PHASE_FORWARD, 0);
    lacuna_process_phase(99, 1);
    EXPECT(lacuna_process_agent() == NULL);
    EXPECT(files_ending(".mem") == 0 && files_ending(".sock") == 0);
}

static void the_first_allocation_makes_agent_and_files(void) {
    EXPECT(process_agent() != NULL && lacuna_process_agent() == process_agent());
    EXPECT(files_ending(".mem") == 1 && files_ending(".sock") == 1);
    EXPECT(counters().total_bytes == UINT64_C(64) << 20 && counters().optimisation == 1);
}

static void phases_marked_before_it_are_open(void) {
    EXPECT(counters().phases == 1u << LACUNA_PHASE_SETUP);
    lacuna_process_phase(LACUNA_PHASE_SETUP, 0);
    EXPECT(counters().phases == 0);
}

static int child_status(pid_t child) {
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_child_keeps_the_blocks_and_makes_files_when_it_allocates(void) {
    void *inherited, *own;
    EXPECT(lacuna_malloc(process_agent(), 1000, 0, &inherited) == LACUNA_OK);
    memset(inherited, 7, 1000);
    pid_t child = fork();
    if (child == 0) {
        if (lacuna_free(lacuna_process_agent(), inherited) != LACUNA_OK) _exit(1);
        if (files_ending(".mem") != 1 || agent_has_telemetry(lacuna_process_agent())) _exit(2);
        if (lacuna_malloc(process_agent(), 2000, 0, &own) != LACUNA_OK) _exit(3);
        memset(own, 9, 2000);
        if (files_ending(".mem") != 2 || files_ending(".sock") != 2) _exit(4);
        process_farewell();
        _exit(files_ending(".mem") == 1 && files_ending(".sock") == 1 ? 0 : 5);
    }
    EXPECT(child_status(child) == 0);
    EXPECT(((unsigned char *)inherited)[999] == 7);
    EXPECT(counters().frees == 0 && files_ending(".mem") == 1 && files_ending(".sock") == 1);
    EXPECT(lacuna_free(process_agent(), inherited) == LACUNA_OK);
}

static void a_child_of_a_child_works_too(void) {
    pid_t child = fork();
    if (child == 0) {
        void *block;
        if (lacuna_malloc(process_agent(), 1000, 0, &block) != LACUNA_OK) _exit(1);
        pid_t grandchild = fork();
        if (grandchild == 0) {
            if (lacuna_malloc(process_agent(), 1000, 0, &block) != LACUNA_OK || files_ending(".mem") != 3) _exit(1);
            process_farewell();
            _exit(0);
        }
        int failed = child_status(grandchild);
        process_farewell();
        _exit(failed);
    }
    EXPECT(child_status(child) == 0);
    EXPECT(files_ending(".mem") == 1);
}

/* As when GPUs are first used in a forked child, before any tensor on the host. */
static void a_child_whose_first_device_is_another_shows_the_host_too(void) {
    pid_t child = fork();
    if (child == 0) {
        lacuna_agent *host = lacuna_process_agent();
        lacuna_agent *other = lacuna_process_device(LACUNA_BACKEND_VIRTUAL, 1);
        if (other == NULL || other == host || !agent_has_telemetry(other)) _exit(1);
        if (process_agent() != host || !agent_has_telemetry(host)) _exit(2);
        if (files_ending(".mem") != 2 || lacuna_process_agents(NULL, 0) != 2) _exit(3);
        process_farewell();
        _exit(files_ending(".mem") == 1 ? 0 : 4);
    }
    EXPECT(child_status(child) == 0);
    EXPECT(lacuna_process_agents(NULL, 0) == 1);
}

static void the_end_removes_the_files_and_freeing_goes_on(void) {
    void *block;
    EXPECT(lacuna_malloc(process_agent(), 1000, 0, &block) == LACUNA_OK);
    process_farewell();
    process_farewell();
    EXPECT(files_ending(".mem") == 0 && files_ending(".sock") == 0);
    EXPECT(lacuna_free(lacuna_process_agent(), block) == LACUNA_OK);
    EXPECT(lacuna_malloc(process_agent(), 1000, 0, &block) == LACUNA_OK);
}

int main(void) {
    scratch_rendezvous();
    RUN(settings_have_the_documented_defaults);
    RUN(the_usual_capacity_is_half_of_the_memory_within_bounds);
    RUN(settings_come_from_the_environment);
    RUN(malformed_settings_are_named_and_the_defaults_taken);
    RUN(memory_fragmentation_is_the_same_switch);
    RUN(mindspeeds_rules_are_chosen_by_name);
    RUN(nothing_exists_before_the_first_allocation);
    RUN(the_first_allocation_makes_agent_and_files);
    RUN(phases_marked_before_it_are_open);
    RUN(a_child_keeps_the_blocks_and_makes_files_when_it_allocates);
    RUN(a_child_of_a_child_works_too);
    RUN(a_child_whose_first_device_is_another_shows_the_host_too);
    RUN(the_end_removes_the_files_and_freeing_goes_on);
    return 0;
}
