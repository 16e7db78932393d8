/*
 * telemetry_double.c - stands in for telemetry and control in tests of the allocator: takes everything, keeps nothing.
 */
#include "control.h"
#include "telemetry.h"

telemetry *telemetry_open(uint32_t device_count) {
    (void)device_count;
    return NULL;
}
void telemetry_close(telemetry *t, bool clean) {
    (void)t;
    (void)clean;
}
void telemetry_forget(telemetry *t) {
    (void)t;
}
void telemetry_event(telemetry *t, uint8_t kind, uint8_t pool, uint8_t device, uint32_t stream, uint64_t address,
                     uint64_t size) {
    (void)t, (void)kind, (void)pool, (void)device, (void)stream, (void)address, (void)size;
}
void telemetry_counters(telemetry *t, const lacuna_device_counters *c) {
    (void)t, (void)c;
}
void telemetry_oom(telemetry *t, uint32_t device, const char *text) {
    (void)t, (void)device, (void)text;
}
control *control_start(lacuna_agent *agent) {
    (void)agent;
    return NULL;
}
void control_stop(control *c) {
    (void)c;
}
void control_forget(control *c) {
    (void)c;
}
