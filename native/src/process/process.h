/*
 * process.h - what the environment asks of a training process's agents, and the process's end.
 */
#ifndef LACUNA_PROCESS_H
#define LACUNA_PROCESS_H

#include "lacuna.h"

#include <stdbool.h>

/* What the environment asks for. A malformed value is named in one line on stderr and the default is taken:
 *   LACUNA_CAPACITY      size, see below   LACUNA_FRACTION    0 < f <= 1, 1
 *   LACUNA_OPTIMISATION  on | off, on      LACUNA_TELEMETRY   on | off, on
 *   LACUNA_POLICY        segregated | lifetime, segregated
 *   MEMORY_FRAGMENTATION=1 | 0 means LACUNA_OPTIMISATION=on | off where that is not given. */
typedef struct process_settings {
    uint64_t capacity_bytes;
    double fraction;
    bool optimisation;
    uint32_t policy; /* lacuna_pool_policy */
    bool telemetry;
} process_settings;

process_settings process_read_settings(void);

/* The capacity where none is asked for: half of the memory, in whole 2 MiB, at least 512 MiB and at most 8 GiB. */
uint64_t process_usual_capacity(uint64_t memory_bytes);

/* The host's capacity, where none is asked for, is to be all of the memory: PyTorch's own serves beside the agent, and what it
 * holds counts against it. Before the agent is made. */
void process_beside_a_heap(void);

/* $LACUNA_CAPACITY as a cap on real devices; 0 where it is not given or no size. */
uint64_t process_capacity_cap(void);

/* Tells readers that the process ends in good order. Async-signal-safe. */
void process_farewell(void);

#endif
