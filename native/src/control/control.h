/*
 * control.h - the control socket: one thread, one line in, one line out, peer uid checked.
 */
#ifndef LACUNA_CONTROL_H
#define LACUNA_CONTROL_H

#include "lacuna.h"

typedef struct control control;

/* Listens on <pid>-<starttime>.sock beside the telemetry file and serves `agent`. NULL when it can't (said once on
 * stderr); training goes on without. */
control *control_start(lacuna_agent *agent);

/* Stops the thread, closes and removes the socket. */
void control_stop(control *c);

/* In a forked child, where the thread does not exist: closes descriptors, removes nothing. */
void control_forget(control *c);

/* The process is about to end in good order: removes its socket. Async-signal-safe; called by a destructor, and by the
 * preload library for _exit(). Does nothing in a child that shares the parent's memory. */
void control_farewell(void);

/* Answers one request line (without newline) into `reply` (bytes long, NUL-terminated, no newline). Separate from the
 * socket so that tests and fuzzers reach it. */
void control_answer(lacuna_agent *agent, const char *line, size_t length, char *reply, size_t bytes);

#endif
