/*
 * search.h - where in a range a block goes (docs/allocator.md, "Segregated"). Looks at a bounded number of places.
 */
#ifndef LACUNA_SEARCH_H
#define LACUNA_SEARCH_H

#include "pool/range.h"

/* A position in one piece; `first` is NULL where every piece is too small. */
position search_fit(lacuna_agent *a, const range *r, uint64_t size, bool long_lived);

/* The position that touches the fewest slots without memory, where no piece is large enough. */
position search_growth(lacuna_agent *a, const range *r, uint64_t size);

#endif
