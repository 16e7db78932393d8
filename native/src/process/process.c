#include "process/process.h"

#include "control/control.h"
#include "prim/log_line.h"
#include "prim/machine.h"
#include "prim/number.h"
#include "telemetry/telemetry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)
#define MOST_USUAL_BYTES (8192 * MIB)
#define LEAST_USUAL_BYTES (512 * MIB)

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
    log_line("%s=%s is neither on nor off; taking %s", name, value, otherwise ? "on" : "off");
    return otherwise;
}

uint64_t process_usual_capacity(uint64_t memory_bytes) {
    uint64_t half = memory_bytes / 2 / (2 * MIB) * (2 * MIB);
    if (half < LEAST_USUAL_BYTES) return LEAST_USUAL_BYTES;
    return half < MOST_USUAL_BYTES ? half : MOST_USUAL_BYTES;
}

static bool beside_a_heap;

void process_beside_a_heap(void) { beside_a_heap = true; }

static uint64_t usual_capacity(void) {
    uint64_t memory = machine_memory();
    return beside_a_heap ? memory / (2 * MIB) * (2 * MIB) : process_usual_capacity(memory);
}

static uint64_t read_capacity(void) {
    const char *value = setting("LACUNA_CAPACITY");
    uint64_t bytes = 0;
    if (value && number_size(value, &bytes) && bytes > 0) return bytes;
    uint64_t usual = usual_capacity();
    if (value) {
        log_line("LACUNA_CAPACITY=%s is not a size like 512MiB or 8GiB; taking %" PRIu64 "MiB", value, usual / MIB);
    }
    return usual;
}

uint64_t process_capacity_cap(void) {
    const char *value = setting("LACUNA_CAPACITY");
    uint64_t bytes = 0;
    return value && number_size(value, &bytes) ? bytes : 0;
}

static double read_fraction(void) {
    const char *value = setting("LACUNA_FRACTION");
    double fraction = 0;
    if (!value) return 1.0;
    if (number_decimal(value, &fraction) && number_is_fraction(fraction)) return fraction;
    log_line("LACUNA_FRACTION=%s is not a number above 0 and at most 1; taking 1", value);
    return 1.0;
}

static bool read_optimisation(void) {
    const char *fragmentation = setting("MEMORY_FRAGMENTATION");
    return read_switch("LACUNA_OPTIMISATION", !fragmentation || strcmp(fragmentation, "0") != 0);
}

static uint32_t read_policy(void) {
    const char *value = setting("LACUNA_POLICY");
    if (value && strcmp(value, "lifetime") == 0) return LACUNA_POOL_POLICY_LIFETIME;
    if (value && strcmp(value, "segregated") != 0)
        log_line("LACUNA_POLICY=%s is neither segregated nor lifetime; taking segregated", value);
    return LACUNA_POOL_POLICY_SEGREGATED;
}

process_settings process_read_settings(void) {
    return (process_settings){.capacity_bytes = read_capacity(),
                              .fraction = read_fraction(),
                              .optimisation = read_optimisation(),
                              .policy = read_policy(),
                              .telemetry = read_switch("LACUNA_TELEMETRY", true)};
}

/* ------------------------------------------------------------------ the end */

void lacuna_process_ending(int ending, const char *text) {
    telemetry_ending(ending, text);
    /* Python raises the signal again at the very end, and no destructor runs. */
    if (ending == LACUNA_ENDING_INTERRUPTED) process_farewell();
}

void process_farewell(void) {
    telemetry_farewell();
    control_farewell();
}
