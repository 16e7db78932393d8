/*
 * agents.h - the agents of this process under their numbers. The public part stands in lacuna.h (lacuna_process_…).
 */
#ifndef LACUNA_AGENTS_H
#define LACUNA_AGENTS_H

#include "lacuna.h"

#include <stdbool.h>

/* The agent with that number, NULL where there is none. Any thread. */
lacuna_agent *agents_entered(uint32_t number);

/* The same, but none whose device does not work here. */
lacuna_agent *agents_at(uint32_t number);

/* An agent gets its number for good. One caller at a time. */
void agents_enter(lacuna_agent *a);

/* In a forked child: the device of this agent is the parent's. */
void agents_disown(uint32_t number);

/* The lowest number that is free, LACUNA_MAX_DEVICES where none is; the highest where `from_above`. */
uint32_t agents_free_number(bool from_above);

#endif
