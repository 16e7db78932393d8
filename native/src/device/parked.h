/*
 * parked.h - slots of a device on the host that were given back and still have their memory: the next ones to be mapped take it
 * along, which costs no page faults. The kernel may take it at any moment, as it does where memory is short.
 */
#ifndef LACUNA_PARKED_H
#define LACUNA_PARKED_H

#include <stdbool.h>
#include <stdint.h>

/* Invariant: count = number of bits set in slots. */
typedef struct parked {
    bool open; /* what is given back now is parked */
    uint64_t count;
    uint64_t *slots; /* bit per slot of the span */
    uint64_t span;   /* in slots */
} parked;

bool parked_init(parked *p, uint64_t span);
void parked_close(parked *p);

/* Parks them if the kernel lets memory stay that it may take; they lie at `address`. */
bool parked_put(parked *p, char *address, uint64_t first, uint64_t count);

/* They are parked no longer, those among them that were. */
void parked_forget(parked *p, uint64_t first, uint64_t count);

/* The lowest run of parked slots outside of first … last, of at most `most`; its length, 0 where there is none. */
uint64_t parked_run(const parked *p, uint64_t first, uint64_t last, uint64_t most, uint64_t *from);

#endif
