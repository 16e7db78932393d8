/*
 * search.h - where in a range a block goes (docs/allocator.md, "Segregated"). Looks at a bounded number of places.
 */
#ifndef LACUNA_SEARCH_H
#define LACUNA_SEARCH_H

#include "pool/range.h"

/* A position in one piece; `first` is NULL where every piece is too small. */
position search_fit(lacuna_agent *a, const range *r, uint64_t size, bool long_lived);

/* Slots that may be mapped anew, and those that may move; a position moves none that it touches itself. */
typedef struct supply {
    uint64_t growing, idle;
} supply;

/* Whether there are enough for the slots without memory that a position touches. */
bool search_can_fill(const supply *s, const position *at, uint64_t size);

/* The position that touches the fewest slots without memory, where no piece is large enough; with a supply, of those that it
 * can fill. */
position search_growth(lacuna_agent *a, const range *r, uint64_t size, const supply *from);

#endif
