/*
 * request_phases.c - the verb about phases with names: how long each was open, and the most that was held meanwhile.
 */
#include "control/call.h"

#include <inttypes.h>

enum { PHASE_ROOM = 3 * LACUNA_NAME_BYTES + 128 /* one phase's words and those after it */ };

/* A name as a word can hold it: other bytes than letters, digits and a few signs are told as %20. */
static void put_name(writer *w, const char *name) {
    for (const char *at = name; *at; at++) {
        bool plain = (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') || *at == '-' ||
                     *at == '_' || *at == '.' || *at == '/';
        if (plain) reply_put(w, "%c", *at);
        else reply_put(w, "%%%02X", (unsigned)(unsigned char)*at);
    }
}

void answer_phases(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    writer w = call_writer(c);
    uint32_t number = c->asked.first;
    reply_put(&w, "ok by=marks first=%" PRIu32, number);
    lacuna_named_use use;
    for (; w.left > PHASE_ROOM && lacuna_named_use_of(c->agent, number, &use) == LACUNA_OK; number++) {
        reply_put(&w, " phase.%" PRIu32 "=", number);
        put_name(&w, use.name);
        reply_put(&w, ":%s:%" PRIu64 ":%" PRIu64 ":%" PRIu64, use.open ? "open" : "closed", use.open_ns, use.peak_allocated_bytes,
                  use.peak_reserved_bytes);
    }
    bool more = lacuna_named_use_of(c->agent, number, &use) == LACUNA_OK;
    reply_put(&w, " next=%" PRIu32 " more=%s", number, more ? "yes" : "no");
}
