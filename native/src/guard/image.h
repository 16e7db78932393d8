/*
 * image.h - an agent's tables as they stood at the end of a step, and a copy of the agent made from them on a device
 * without memory, which serves requests as the agent itself would have.
 */
#ifndef LACUNA_IMAGE_H
#define LACUNA_IMAGE_H

#include "lacuna.h"
#include "pool/lifetime.h"
#include "pool/request_log.h"
#include "pool/table.h"

/* A block of a stock segment or of a segregated range, or a piece of memory of these that is free. */
typedef struct image_tile {
    uint64_t offset, size; /* in the pool's range */
    uint64_t requested, stream;
    uint32_t segment; /* stock: number */
    uint8_t pool, state;
    uint8_t keeper; /* of a segment: whose it is */
} image_tile;

typedef struct image {
    lacuna_device_counters counters;
    uint64_t base, range_bytes, inherited_bytes, former_peak_allocated_bytes;
    uint64_t events;
    uint32_t setup_depth;
    uint32_t segments_created;
    bool divisible; /* the agent's segments */
    uint64_t bytes; /* of this image */
    uint64_t count;
    uint64_t scores[LIFETIME_SCORES];
    image_tile tiles[]; /* by range and address */
} image;

/* Under the agent's lock, at the end of a step. NULL where there is no memory for it. */
image *image_take(const lacuna_agent *a);
void image_drop(image *i);

/* The copy, with its blocks in `names` under the addresses that they had. NULL where there is no memory for it. */
lacuna_agent *image_restore(const image *i, table *names);

#endif
