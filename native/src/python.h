/*
 * python.h - the few things that the agent asks of the Python in its process, looked up there: it is built without it.
 */
#ifndef LACUNA_PYTHON_H
#define LACUNA_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* NULL where this process has no such symbol. */
void *python_symbol(const char *name);

/* Whether this thread may run code in Python: it holds Python's lock, or there is no Python. */
bool python_may_run(void);

/* Runs the handlers of signals that have arrived, as Python would before its next instruction. What one raised, for
 * python_raise(); NULL: nothing. Holding Python's lock. */
void *python_run_handlers(void);

/* Calls it with an address and a number. What it raised, as above. */
void *python_call(void *callable, const void *address, uint32_t number);

/* Raises it as soon as this thread is back in Python where that can be done, else has `hear` keep it. */
void python_raise(void *raised, void (*hear)(void *raised));

#endif
