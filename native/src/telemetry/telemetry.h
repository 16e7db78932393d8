/*
 * telemetry.h - the memory-mapped file that readers watch: event ring, counters, the last out-of-memory message.
 *
 * Every call is made under the agent's lock; where several agents of a process share the file, telemetry_share() has
 * said so. No agent ever reads the file back. A NULL telemetry is legal everywhere and means "trains on without".
 */
#ifndef LACUNA_TELEMETRY_H
#define LACUNA_TELEMETRY_H

#include "lacuna.h"
#include "types.h"

#include <stdbool.h>

/* Creates this process's .mem in the rendezvous directory, wholly allocated before it is mapped. NULL when that
 * fails; the reason was said once on stderr. */
telemetry *telemetry_open(uint32_t device_count);

/* One more agent is about to write to the file; the caller holds the locks of all that do so now. From here on writers
 * take turns, and the file lives until telemetry_close() was called for each. */
void telemetry_share(telemetry *t);

/* Unmaps; a clean exit without an out-of-memory removes the file, otherwise it stays as the black box. */
void telemetry_close(telemetry *t, bool clean);

/* The process goes on without agents: the file is no black box, whatever happened before. Before it is closed. */
void telemetry_retract(telemetry *t);

/* In a forked child, for each agent: forgets the parent's file without touching it. */
void telemetry_forget(telemetry *t);

/* The process is about to end in good order: marks the file of this process as exited and removes it unless it is a
 * black box. What is written afterwards goes nowhere and does no harm. Async-signal-safe; called by a destructor, and
 * by the preload library for _exit(). Does nothing in a child that shares the parent's memory. */
void telemetry_farewell(void);

/* What the process knows of its coming end (lacuna_ending), with the type of an exception or NULL; the first word holds.
 * Removes nothing. */
void telemetry_ending(int ending, const char *text);

/* Appends one event, stamped now. */
void telemetry_event(telemetry *t, uint8_t kind, uint8_t pool, uint8_t device, uint32_t stream, uint64_t address,
                     uint64_t size);

/* The same of chunks that moved to an address so many chunks above where they lay. */
void telemetry_move(telemetry *t, uint8_t pool, uint8_t device, int32_t chunks_above, uint64_t address, uint64_t size);

/* Publishes the counters of one device under its sequence lock (the `sequence` and `time_ns` fields of `c` are
 * ignored). Cheap enough for every allocation. */
void telemetry_counters(telemetry *t, const lacuna_device_counters *c);

/*
 * The same after a request of `pool` was served or a block of it freed. Where that told no event but its own, nothing
 * was grown, released, moved or retried, and only the counters that every request changes are stored.
 */
void telemetry_served(telemetry *t, const lacuna_device_counters *c, uint8_t pool);

/* Whether it would store only those: allocated, requested, active, releasable, split, pending and cache bytes, the pool's allocated
 * bytes, the peak allocated, allocations and frees. */
bool telemetry_only_served(const telemetry *t, uint32_t device);

/* A counter of the device changed that no event tells of: the next telemetry_served() stores all of them. */
void telemetry_outdated(telemetry *t, uint32_t device);

/* Keeps the text of the last out-of-memory. */
void telemetry_oom(telemetry *t, uint32_t device, const char *text);

/* CLOCK_MONOTONIC nanoseconds, as stamped on events. */
uint64_t telemetry_now_ns(void);

#endif
