/*
 * control.h - the control socket: one thread, one line in, one line out, peer uid checked.
 */
#ifndef LACUNA_CONTROL_H
#define LACUNA_CONTROL_H

#include "control/audit.h"
#include "lacuna.h"

typedef struct control control;

/* Who knows what lines mean, and what there is to look after. Called on the socket's thread. */
typedef struct control_handler {
    /* Answers `line` (without newline) into `reply`, NUL-terminated, without newline. */
    void (*answer)(lacuna_agent *agent, const requester *who, const char *line, size_t length, char *reply, size_t bytes);

    /* Every now and then, once a second or more often; returns after how long again, in ns. */
    uint64_t (*look)(lacuna_agent *agent);
} control_handler;

/* Longest reply with its newline. */
#define CONTROL_REPLY_BYTES 2048

/* Listens on <pid>-<starttime>.sock beside the telemetry file and serves `agent`. NULL when it can't (said once on
 * stderr); training goes on without. */
control *control_start(lacuna_agent *agent, const control_handler *handler);

/* This process's socket where it serves that agent, else NULL; both calls below take that. */
control *control_of(const lacuna_agent *agent);

/* Stops the thread, closes and removes the socket. */
void control_stop(control *c);

/* In a forked child, where the thread does not exist: closes descriptors, removes nothing. */
void control_forget(control *c);

/* The process is about to end in good order: removes its socket. Async-signal-safe; called by a destructor, and by the
 * preload library for _exit(). Does nothing in a child that shares the parent's memory. */
void control_farewell(void);

#endif
