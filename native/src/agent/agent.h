/*
 * agent.h - what the rest of the process (fork handlers, preload, plug-ins) needs of an agent beyond lacuna.h.
 */
#ifndef LACUNA_AGENT_H
#define LACUNA_AGENT_H

#include "lacuna.h"
#include "telemetry/telemetry.h"
#include "types.h"

#include <stdbool.h>

void agent_lock(lacuna_agent *a);
void agent_unlock(lacuna_agent *a);

/* lacuna_open() without the process's files: no telemetry. The reason where it is not LACUNA_OK. Closing closes telemetry too. */
int agent_open(const lacuna_options *options, lacuna_agent **out, char *why, size_t bytes);
void agent_close(lacuna_agent *a);

/* The agent's engine of swapping: NULL where it has none, as before the first call of the second, which makes it where it
 * can be made. swap_calls.c. */
swap *agent_swap(lacuna_agent *a);
swap *agent_make_swap(lacuna_agent *a);

/* Held across fork(), so that the child inherits a consistent agent: its lock, and that of its swap engine. */
void agent_hold(lacuna_agent *a);
void agent_release(lacuna_agent *a);

/*
 * In the child, where the lock is held by a thread that does not exist: remakes the lock and leaves it free, forgets
 * telemetry without touching what is the parent's. What was reserved at the fork no longer counts against
 * the limit: it is the parent's memory, shared copy-on-write.
 */
void agent_fork_child(lacuna_agent *a);

/* The agent's number in the table of its telemetry file, in events and for the control socket; constant once it is
 * served. At first the index on its backend. */
uint32_t agent_number(const lacuna_agent *a);
void agent_set_number(lacuna_agent *a, uint32_t number);

/* lacuna_backend, and its index there. */
uint32_t agent_backend(const lacuna_agent *a);
uint32_t agent_index(const lacuna_agent *a);

/* Gives an agent its telemetry (NULL: none) and publishes the counters. The agent closes it at the end. */
void agent_set_telemetry(lacuna_agent *a, telemetry *t);

bool agent_has_telemetry(lacuna_agent *a);
/* The process is left, and nothing of the agent's is in use: whoever takes it over again finds the cap that there was at first, and no past. */
void agent_forget(lacuna_agent *a);

/* What giving memory back to the device took so far, all in all. */
uint64_t agent_given_back_ns(lacuna_agent *a);

/* Not under the lock: the cap, or who serves, may be another now. */
void agent_tell_framework(lacuna_agent *a);

/* Whether an address lies in the agent's ranges, so that it can only be a block of it. Takes no lock. */
bool agent_owns(const lacuna_agent *a, const void *address);

#ifdef LACUNA_CHECK
/* Every invariant of the agent's structures, from scratch; says the broken one on stderr. Slow. */
bool agent_is_valid(lacuna_agent *a);
#endif

#endif
