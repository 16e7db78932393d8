/*
 * request_leaving.c - the verb by which a training that was taken over is left again.
 */
#include "control/call.h"

#include <inttypes.h>

void answer_retract(call *c) {
    lacuna_device_counters before, after;
    if (!call_counters(c, &before)) return;
    if (lacuna_process_leave() != LACUNA_OK) {
        call_refuse(c, "cannot", "this process was started under Lacuna and ends with it; one that was taken over can be left");
        call_audit(c, "cannot", NULL, NULL);
        return;
    }
    uint64_t held = 0;
    bool free_to_go = lacuna_process_leaving(&held) == LACUNA_FREE_TO_GO;
    lacuna_counters(c->agent, &after);
    writer w = call_writer(c);
    reply_put(&w, "ok state=%s held_bytes=%" PRIu64, free_to_go ? "going" : "held", held);
    call_audit(c, "ok", &before, &after);
}
