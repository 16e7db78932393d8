/*
 * victims.h - which entries leave a place for a request.
 */
#ifndef LACUNA_VICTIMS_H
#define LACUNA_VICTIMS_H

#include "swap/swap.h"

/* Marks as planned the entries whose going leaves one piece that is large enough, or enough whole chunks, whichever is less to
 * copy and is wanted back later. All are held, and can go. Returns their number; 0: no choice of them does. Reorders
 * `entries`. Under the agent's lock, which the neighbours of a block are under, and the engine's. */
uint32_t victims_plan(const shortage *lack, swapped **entries, uint32_t count);

#endif
