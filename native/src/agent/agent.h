/*
 * agent.h - what the rest of the process (fork handlers, preload, plug-ins) needs of an agent beyond lacuna.h.
 */
#ifndef LACUNA_AGENT_H
#define LACUNA_AGENT_H

#include "control/control.h"
#include "lacuna.h"
#include "telemetry/telemetry.h"

#include <stdbool.h>

void agent_lock(lacuna_agent *a);
void agent_unlock(lacuna_agent *a);

/* Held across fork(), so that the child inherits a consistent agent: its lock, and that of its swap engine. */
void agent_hold(lacuna_agent *a);
void agent_release(lacuna_agent *a);

/*
 * In the child, where the lock is held by a thread that does not exist: remakes the lock and leaves it free, forgets
 * telemetry and control without touching what is the parent's. What was reserved at the fork no longer counts against
 * the limit: it is the parent's memory, shared copy-on-write.
 */
void agent_fork_child(lacuna_agent *a);

/* The agent's number in the table of its telemetry file, in events and for the control socket; constant once it is
 * served. At first the index on its backend. */
uint32_t agent_number(const lacuna_agent *a);
void agent_set_number(lacuna_agent *a, uint32_t number);

/* lacuna_backend */
uint32_t agent_backend(const lacuna_agent *a);

/* Gives an agent its telemetry (NULL: none) and publishes the counters. The agent closes it at the end. */
void agent_set_telemetry(lacuna_agent *a, telemetry *t);

/* Gives an agent its control socket, to be stopped at the end. */
void agent_set_control(lacuna_agent *a, control *c);

bool agent_has_telemetry(lacuna_agent *a);

/* Whether an address lies in the agent's ranges, so that it can only be a block of it. Takes no lock. */
bool agent_owns(const lacuna_agent *a, const void *address);

#ifdef LACUNA_CHECK
/* Every invariant of the agent's structures, from scratch; says the broken one on stderr. Slow. */
bool agent_is_valid(lacuna_agent *a);
#endif

#endif
