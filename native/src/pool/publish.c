#include "pool/publish.h"

#include "pool/operation.h"
#include "prim/clock.h"

static void sum_of_both(lacuna_agent *a, lacuna_device_counters *out) {
    framework_note_peaks(a);
    *out = a->counters;
    framework_add(a, out);
}

void publish_copy(lacuna_agent *a, lacuna_device_counters *out) {
    operate_settle_counters(a);
    *out = a->counters;
    if (a->framework.present) sum_of_both(a, out);
    out->time_ns = clock_system_ns();
}

void publish_counters(lacuna_agent *a) {
    if (a->telemetry == NULL) return;
    operate_settle_counters(a);
    if (!a->framework.present) {
        telemetry_counters(a->telemetry, &a->counters);
        return;
    }
    lacuna_device_counters both;
    sum_of_both(a, &both);
    telemetry_counters(a->telemetry, &both);
}

void publish_request(lacuna_agent *a, uint8_t pool) {
    if (pool != home_of(pool)) { /* two pools' figures changed */
        publish_counters(a);
        return;
    }
    if (a->telemetry == NULL) return;
    operate_settle_counters(a);
    if (!a->framework.present) {
        telemetry_served(a->telemetry, &a->counters, pool);
        return;
    }
    lacuna_device_counters both;
    sum_of_both(a, &both);
    telemetry_served(a->telemetry, &both, pool);
}
