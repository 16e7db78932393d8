/*
 * devices.h - the agents of a training process: host memory and real devices, each made at its first allocation, all
 * with one telemetry file and one control socket, carried through fork(). The public part stands in lacuna.h
 * (lacuna_process_…).
 */
#ifndef LACUNA_DEVICES_H
#define LACUNA_DEVICES_H

#include "lacuna.h"

/* The agent for host memory; made at the first call, the process's files at the first call in each process. NULL when
 * it cannot be made, which was said once: the caller then does without. */
lacuna_agent *process_agent(void);

/* The agent with that number in the process's table, NULL where there is none. */
lacuna_agent *devices_at(uint32_t number);

#endif
