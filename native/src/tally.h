/*
 * tally.h - what PyTorch counts beyond the counters of lacuna.h: per kind of pool, with peaks and sums.
 */
#ifndef LACUNA_TALLY_H
#define LACUNA_TALLY_H

#include "lacuna.h"

enum tally_what { TALLY_BLOCKS, TALLY_BYTES, TALLY_REQUESTED, TALLY_COUNT };

/*
 * Invariants: live[k][w].current is of the live blocks in pools of kind k (0 small, 1 large); with pending, of the
 * active ones. Active exceeds live only while something is pending, so its peaks are kept only then and are otherwise
 * those of live.
 */
typedef struct tally {
    lacuna_statistic live[2][TALLY_COUNT];
    uint64_t peak_blocks, peak_requested; /* over both kinds; peak allocated is a counter */
    uint64_t pending_blocks[2], pending_bytes[2];
    uint64_t peak_active_blocks[3], peak_active_bytes[3]; /* all, small, large */
} tally;

static inline void tally_add(lacuna_statistic *s, uint64_t n) {
    s->current += n;
    s->allocated += n;
    if (s->current > s->peak) s->peak = s->current;
}

/* Takes the present as the peak of what is active where it is higher. */
void tally_peak_active(tally *t);

/* A block came alive; `blocks` and `requested` count it already, over both kinds. */
static inline void tally_allocated(tally *t, unsigned kind, uint64_t size, uint64_t bytes, uint64_t blocks,
                                   uint64_t requested) {
    tally_add(&t->live[kind][TALLY_BLOCKS], 1);
    tally_add(&t->live[kind][TALLY_BYTES], size);
    tally_add(&t->live[kind][TALLY_REQUESTED], bytes);
    if (blocks > t->peak_blocks) t->peak_blocks = blocks;
    if (requested > t->peak_requested) t->peak_requested = requested;
    if (__builtin_expect((t->pending_blocks[0] | t->pending_blocks[1]) != 0, 0)) tally_peak_active(t);
}

static inline void tally_freed(tally *t, unsigned kind, uint64_t size, uint64_t bytes) {
    t->live[kind][TALLY_BLOCKS].current--;
    t->live[kind][TALLY_BYTES].current -= size;
    t->live[kind][TALLY_REQUESTED].current -= bytes;
}

/* A freed block is pending from now on, or no longer. */
static inline void tally_pending(tally *t, unsigned kind, uint64_t size) {
    t->pending_blocks[kind]++;
    t->pending_bytes[kind] += size;
    tally_peak_active(t);
}

static inline void tally_completed(tally *t, unsigned kind, uint64_t size) {
    t->pending_blocks[kind]--;
    t->pending_bytes[kind] -= size;
}

/* Everything, in the order of lacuna_statistics(). */
void tally_tell(const tally *t, const lacuna_device_counters *c, lacuna_statistic out[LACUNA_STATISTICS]);

/* Peaks start again from what holds now. */
void tally_reset_peaks(tally *t);

#endif
