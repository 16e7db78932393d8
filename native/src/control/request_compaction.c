/*
 * request_compaction.c - the verbs about compaction: have storages moved, and what came of it.
 */
#include "control/call.h"

#include <inttypes.h>

static const char *const states[] = {"none", "asked", "running", "done"};
static const char *const stays[LACUNA_STAYS] = {"shared", "exported", "foreign", "graph", "library", "threads", "memory", "kind", "door"};

void answer_compact(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    lacuna_compaction_ask(c->agent, c->asked.at_once);
    writer w = call_writer(c);
    reply_put(&w, "ok state=asked pace=%s", c->asked.at_once ? "at-once" : "gentle");
    call_put_counters(&w, "", &now);
    call_audit(c, "ok", &now, &now);
}

void answer_compaction(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    lacuna_compaction told = {0};
    lacuna_compaction_read(c->agent, &told);
    writer w = call_writer(c);
    reply_put(&w, "ok state=%s pace=%s steps=%" PRIu64 " moved=%" PRIu64 " moved_bytes=%" PRIu64 " left=%" PRIu64 " left_bytes=%" PRIu64
              " busy_ns=%" PRIu64, states[told.state], told.at_once ? "at-once" : "gentle", told.steps, told.moved, told.moved_bytes,
              told.left, told.left_bytes, told.busy_ns);
    for (int n = 0; n < LACUNA_STAYS; n++) {
        if (told.stayed[n] > 0) reply_put(&w, " stayed.%s=%" PRIu64 ":%" PRIu64, stays[n], told.stayed[n], told.stayed_bytes[n]);
    }
    call_put_counters(&w, "", &now);
}
