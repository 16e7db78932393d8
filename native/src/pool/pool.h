/*
 * pool.h - an agent's state is made and taken apart: device, tables, pools. Nobody is told of what it does, and nothing of
 * it is swapped; agent.h adds that.
 */
#ifndef LACUNA_POOL_H
#define LACUNA_POOL_H

#include "lacuna.h"

#include <stdbool.h>
#include <stddef.h>

/* LACUNA_INVALID or LACUNA_SYSTEM with the reason. */
int pool_open(const lacuna_options *options, lacuna_agent **out, char *why, size_t bytes);
void pool_close(lacuna_agent *a);

/* Whether a cap may be that fraction of the device. */
bool pool_is_fraction(double fraction);

#endif
