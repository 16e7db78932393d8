/*
 * publish.h - what readers are told: the agent's counters, and what the framework's own allocator holds beside it.
 */
#ifndef LACUNA_PUBLISH_H
#define LACUNA_PUBLISH_H

#include "lacuna.h"
#include "types.h"

/* Under the agent's lock, all. */

/* All counters, of both. */
void publish_counters(lacuna_agent *a);
/* The same after a request of `pool` was served, or a block of it freed. */
void publish_request(lacuna_agent *a, uint8_t pool);
/* As they are published now. */
void publish_copy(lacuna_agent *a, lacuna_device_counters *out);

#endif
