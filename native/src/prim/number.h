/*
 * number.h - sizes and fractions as text, the same in every locale: a trainer that called setlocale() must not turn
 * "0.94" into an error.
 */
#ifndef LACUNA_NUMBER_H
#define LACUNA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes from "512", "20MiB", "8GiB" (KiB, MiB, GiB, TiB; whole numbers only). False when malformed or above 2^63. */
bool number_size(const char *text, uint64_t *bytes);

/* A plain decimal number ("0.94", "1", "9.4e-1", "-2"): no plus, hex, inf, nan or blanks. False when malformed. */
bool number_decimal(const char *text, double *value);

/* True for a memory fraction that may be asked for: 0 < f <= 1. */
bool number_is_fraction(double value);

/* Shortest text that reads back as the same double. */
#define NUMBER_TEXT_BYTES 32
void number_print(double value, char text[NUMBER_TEXT_BYTES]);

#endif
