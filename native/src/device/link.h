/*
 * link.h - the way between a device that is played on the host and its host side: one thread for each direction that
 * copies in order, no faster than it was told, so that copies beside the computation can be measured without a device.
 */
#ifndef LACUNA_LINK_H
#define LACUNA_LINK_H

#include "device/device.h"

#include <stdatomic.h>

typedef struct host_link host_link;

enum copy_state { COPY_NONE = 0, COPY_QUEUED, COPY_RUNNING, COPY_DONE, COPY_FAILED };

/* NULL with errno. Threads are started by the first copy, and stay at `near`, which outlives the link. */
host_link *link_open(numa_place *near);

/* Waits for the copy that is running; those that are queued fail. */
void link_close(host_link *l);

/* In a forked child, where the threads do not exist: what was under way is forgotten, and nothing can be begun. */
void link_forked(host_link *l);

/* Bytes per second, 0 as fast as the machine copies; the latency is paid by each copy. */
void link_shape(host_link *l, uint64_t bytes_per_second, uint64_t latency_ns);

bool link_begin(host_link *l, device_copy *c);
enum event_state link_query(host_link *l, const device_copy *c);
bool link_wait(host_link *l, const device_copy *c);
bool link_cancel(host_link *l, device_copy *c);

#ifdef LACUNA_CHECK
/* Tests: called on the link's thread before each copy; false makes it fail. NULL takes it back. */
extern bool (*_Atomic link_fault)(const device_copy *c);
#endif

#endif
