/*
 * price.h - what a call of the device's took, by the last times that this process made it: what one more would cost.
 */
#ifndef LACUNA_PRICE_H
#define LACUNA_PRICE_H

#include <stdint.h>

enum { PRICES = 16 };

/* Zeros: never made. */
typedef struct price {
    uint64_t last[PRICES]; /* nanoseconds of a unit, a ring */
    uint64_t count;
    uint64_t sum_ns; /* of all times */
} price;

/* Once more, for so many units in one call. */
void price_note(price *p, uint64_t ns, uint64_t units);

/* Of a unit: the lower quartile; the upper one, or the mean where a few dear ones lift it above that. 0: never made. */
uint64_t price_low(const price *p);
uint64_t price_high(const price *p);

#endif
