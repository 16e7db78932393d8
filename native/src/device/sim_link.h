/*
 * sim_link.h - the way between a device that is played on the host and its host side: one thread for each direction that
 * copies in order, no faster than it was told, so that copies beside the computation can be measured without a device.
 */
#ifndef LACUNA_SIM_LINK_H
#define LACUNA_SIM_LINK_H

#include "device/device.h"

#include <stdatomic.h>

typedef struct sim_link sim_link;

enum copy_state { COPY_NONE = 0, COPY_QUEUED, COPY_RUNNING, COPY_DONE, COPY_FAILED };

/* NULL with errno. Threads are started by the first copy, and stay at `near`, which outlives the link. */
sim_link *sim_link_open(numa_place *near);

/* Waits for the copy that is running; those that are queued fail. */
void sim_link_close(sim_link *l);

/* In a forked child, where the threads do not exist: what was under way is forgotten, and nothing can be begun. */
void sim_link_forked(sim_link *l);

/* Bytes per second, 0 as fast as the machine copies; the latency is paid by each copy. */
void sim_link_shape(sim_link *l, uint64_t bytes_per_second, uint64_t latency_ns);

bool sim_link_begin(sim_link *l, device_copy *c);
enum event_state sim_link_query(sim_link *l, const device_copy *c);
bool sim_link_wait(sim_link *l, const device_copy *c);
bool sim_link_cancel(sim_link *l, device_copy *c);

#ifdef LACUNA_CHECK
/* Tests: called on the link's thread before each copy; false makes it fail. NULL takes it back. */
extern bool (*_Atomic sim_link_fault)(const device_copy *c);
#endif

#endif
