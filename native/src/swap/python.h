/*
 * python.h - the few things that the agent asks of the Python in its process, looked up there: it is built without it.
 * Objects are known by address; whoever is given one drops it.
 */
#ifndef LACUNA_PYTHON_H
#define LACUNA_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* NULL where this process has no such symbol. */
void *python_symbol(const char *name);

/* Whether this thread may run code in Python: it holds Python's lock, or there is no Python. */
bool python_may_run(void);

/* Lets others run meanwhile; NULL: there is no Python. */
void *python_give_lock(void);
void python_take_lock(void *state);

void python_drop(void *object);

/* Python's None, a new reference. NULL: there is no Python. */
void *python_none(void);

/* What is being raised in this thread, which no longer raises it. */
void *python_take_raised(void);

/* Raises it as it is in this thread, for the framework that called. Drops it. */
void python_set_raised(void *raised);

bool python_is_true(void *object);

/* Runs the handlers of signals that have arrived, as Python would before its next instruction, until one raises. What that
 * was; NULL: nothing. Holding Python's lock. */
void *python_run_handlers(void);

/* Calls it with an address and a number. What it raised; NULL: nothing. */
void *python_call(void *callable, const void *address, uint32_t number);

/* Calls it with an object. Its result; NULL: it raises. */
void *python_call_with(void *callable, void *argument);

/* Of a tuple, which keeps it. */
void *python_item(void *tuple, int index);

/* Raises it in Python's main thread before its next instruction or soon after. False where it cannot be; keeps it. */
bool python_raise_in_main(void *raised);

/* Whether it is a KeyboardInterrupt and of no class of somebody's own. */
bool python_interrupts(void *raised);

/* Raises it as soon as this thread is back in Python where that can be done, else has `hear` keep it. Drops it. */
void python_raise(void *raised, void (*hear)(void *raised));

#endif
