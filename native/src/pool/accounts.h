/*
 * accounts.h - what is counted and told when memory comes, goes and moves.
 */
#ifndef LACUNA_ACCOUNTS_H
#define LACUNA_ACCOUNTS_H

#include "lacuna.h"

#include <stdint.h>

/* The pool took memory from the device in one go, or gave it back. */
void count_grown(lacuna_agent *a, uint8_t pool, uint64_t offset, uint64_t bytes);
void count_released(lacuna_agent *a, uint8_t pool, uint64_t offset, uint64_t bytes);

/* Chunks went from one pool's range to another place in `to`. */
void count_moved(lacuna_agent *a, uint8_t from, uint64_t source, uint8_t to, uint64_t offset, uint64_t bytes);

/* Takes notice of what giving back took. */
void count_prices(lacuna_agent *a);

/* Takes notice of the segments that there are. */
void count_segments(lacuna_agent *a);

/* Takes notice of what has become of the split bytes. */
void count_split_fallen(lacuna_agent *a);

#endif
