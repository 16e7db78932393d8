/*
 * stream.h - the streams of a device, numbered in the order in which they appear: what is kept for each stands under its
 * number, and readers are told numbers where handles are addresses.
 */
#ifndef LACUNA_STREAM_H
#define LACUNA_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#define STREAMS_MOST 1024 /* told apart; PyTorch keeps 32 for each of a few priorities. The last stands for all beyond */

/* Invariant: handle[0] … handle[known - 1] differ. */
typedef struct streams {
    uint64_t *handle; /* by number; NULL where nobody asks for numbers */
    uint32_t known;
    uint32_t current; /* the number of the running request's */
} streams;

bool streams_open(streams *s);
void streams_close(streams *s);

uint32_t stream_number(streams *s, uint64_t handle);

#endif
