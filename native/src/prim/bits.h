/*
 * bits.h - ranges of bits in an array of 64-bit words: one bit a slot.
 */
#ifndef LACUNA_BITS_H
#define LACUNA_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of an array of `n` bits. */
static inline size_t bits_bytes(uint64_t n) {
    return (n + 63) / 64 * sizeof(uint64_t);
}

static inline bool bits_get(const uint64_t *bits, uint64_t i) {
    return (bits[i >> 6] >> (i & 63)) & 1;
}

static inline void bits_set(uint64_t *bits, uint64_t i) {
    bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void bits_clear(uint64_t *bits, uint64_t i) {
    bits[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

/* The bits of word `w` that lie in first … last. */
static inline uint64_t bits_mask(uint64_t w, uint64_t first, uint64_t last) {
    uint64_t mask = ~UINT64_C(0);
    if (w == first >> 6) mask &= ~UINT64_C(0) << (first & 63);
    if (w == last >> 6) mask &= ~UINT64_C(0) >> (63 - (last & 63));
    return mask;
}

/* How many of first … last are set. */
static inline uint64_t bits_count(const uint64_t *bits, uint64_t first, uint64_t last) {
    uint64_t n = 0;
    for (uint64_t w = first >> 6; w <= last >> 6; w++) {
        n += (uint64_t)__builtin_popcountll(bits[w] & bits_mask(w, first, last));
    }
    return n;
}

static inline void bits_set_range(uint64_t *bits, uint64_t first, uint64_t last) {
    for (uint64_t w = first >> 6; w <= last >> 6; w++) bits[w] |= bits_mask(w, first, last);
}

static inline void bits_clear_range(uint64_t *bits, uint64_t first, uint64_t last) {
    for (uint64_t w = first >> 6; w <= last >> 6; w++) bits[w] &= ~bits_mask(w, first, last);
}

/* The lowest bit in from … limit − 1 that equals `value`, or `limit`. */
static inline uint64_t bits_next(const uint64_t *bits, uint64_t from, uint64_t limit, bool value) {
    if (from >= limit) return limit;
    uint64_t flip = value ? 0 : ~UINT64_C(0);
    uint64_t w = from >> 6;
    uint64_t word = (bits[w] ^ flip) & (~UINT64_C(0) << (from & 63));
    while (word == 0) {
        if (++w > (limit - 1) >> 6) return limit;
        word = bits[w] ^ flip;
    }
    uint64_t at = (w << 6) + (uint64_t)__builtin_ctzll(word);
    return at < limit ? at : limit;
}

/* The lowest run of `n` clear bits in from … limit − 1, or `limit` where there is none. */
static inline uint64_t bits_clear_run(const uint64_t *bits, uint64_t from, uint64_t limit, uint64_t n) {
    while (from < limit) {
        uint64_t first = bits_next(bits, from, limit, false);
        if (first >= limit || limit - first < n) return limit;
        uint64_t end = bits_next(bits, first, first + n, true);
        if (end == first + n) return first;
        from = end;
    }
    return limit;
}

#endif
