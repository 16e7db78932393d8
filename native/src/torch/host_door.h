/*
 * host_door.h - host memory of a training that runs already, where nothing was preloaded: those who call c10::alloc_cpu and
 * c10::free_cpu come here from then on. While the agent does not serve, all goes on to PyTorch's own, and so does every block
 * that is none of the agent's, and what the agent has no room for.
 */
#ifndef LACUNA_HOST_DOOR_H
#define LACUNA_HOST_DOOR_H

#include "lacuna.h"

#include <stddef.h>

enum lacuna_door {
    LACUNA_DOOR_OPEN = 0,
    LACUNA_DOOR_ELSEWHERE = 1, /* the process trains on an accelerator */
    LACUNA_DOOR_UNKNOWN = 2,   /* no calls of c10::alloc_cpu were found, or not all */
    LACUNA_DOOR_GUARDED = 3,   /* the pages that hold their targets cannot be written */
    LACUNA_DOOR_AGENTLESS = 4  /* no agent could be made, which was said */
};

/* Opens it; once more does nothing. Any thread, at any time: each caller comes to the one or to the other. */
LACUNA_API int lacuna_host_door_open(void);

/* Whether it is open in this process; not in one that was forked from it. */
LACUNA_API int lacuna_host_door_is_open(void);

/* Has everybody call PyTorch's own again. Only while the agent holds no block that somebody may free. */
LACUNA_API void lacuna_host_door_close(void);

#endif
