/*
 * filters.h - filters of system calls (seccomp): whether those of a process are surely its container's, under which all sorts of
 * programs work, or perhaps its own, which may kill it for a call that attaching makes.
 */
#ifndef LACUNA_GRAFT_FILTERS_H
#define LACUNA_GRAFT_FILTERS_H

#include "graft/process.h"

/* By whom it was given them. first: of its namespace of pids, perhaps itself; self: we, where we are in the same container. NULL:
 * not known, or not so. */
bool graft_filters_allow(const graft_process *p, const graft_process *first, const graft_process *self);

/* The same of a process that is there. */
bool graft_filters_look(int32_t pid, const graft_process *p);

#endif
