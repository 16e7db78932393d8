/*
 * audit.h - who changed what: one line per change or refused change in audit.log of the rendezvous directory.
 */
#ifndef LACUNA_AUDIT_H
#define LACUNA_AUDIT_H

#include "rendezvous/rendezvous.h"

#include <sys/types.h>

/* A log of this size is put aside as audit.log.1, which it replaces, and a new one begun: twice this at most. */
#define AUDIT_LOG_BYTES (4 << 20)

/* Who asks, and where that is written down. */
typedef struct requester {
    pid_t pid;
    uid_t uid;
    const rendezvous *place; /* NULL: nothing is written down */
} requester;

/*
 * Appends "<time> pid=… peer_pid=… peer_uid=… <text>" in one write. What cannot be written (full disk, somebody
 * else's file in the place) is let go: a log must not stop training. `asked` is cleaned of what is not printable.
 */
void audit_append(const requester *who, const char *asked, size_t asked_length, const char *outcome);

#endif
