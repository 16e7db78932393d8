/*
 * devices.h - the agents of a training process: host memory and real devices, each made at its first allocation, all
 * with one telemetry file and one control socket, carried through fork(). The public part stands in lacuna.h
 * (lacuna_process_…).
 */
#ifndef LACUNA_DEVICES_H
#define LACUNA_DEVICES_H

#include "lacuna.h"

#include <stdbool.h>

/* The agent for host memory; made at the first call, the process's files at the first call in each process. NULL when
 * it cannot be made, which was said once: the caller then does without. */
lacuna_agent *process_agent(void);

/* The same where there is one already, else NULL. */
lacuna_agent *devices_host(void);

/* The agent of a device where it was made already, else NULL. In a forked child a real device's is the parent's: NULL. */
lacuna_agent *devices_find(int backend, int index);

/*
 * Whether the framework's own allocator is to serve host memory: the process trains on an accelerator, so that the host
 * plays no device. A capacity that is pretended would fail requests that the machine can serve. What the host's agent gave
 * out before stays its own. Decided at the first call, and by the first agent of a real device. Any thread; cheap.
 */
bool devices_host_is_aside(void);

#endif
