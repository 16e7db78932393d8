/* What memory of the host holds, in a few numbers: swap/contents.py compares these before it computes a layer again. */
#include "lacuna.h"

#include <string.h>

enum { WORD = sizeof(uint64_t) };

uint64_t lacuna_contents_sums(const void *memory, uint64_t bytes, void *sums) {
    const unsigned char *at = memory;
    uint64_t sum[LACUNA_CONTENTS_COLUMNS] = {0}, rest = bytes % sizeof sum;
    for (const unsigned char *end = at + (bytes - rest); at < end; at += sizeof sum) {
        for (int column = 0; column < LACUNA_CONTENTS_COLUMNS; column++) {
            uint64_t word; /* whatever the alignment */
            memcpy(&word, at + column * WORD, WORD);
            sum[column] += word;
        }
    }
    memcpy(sums, sum, sizeof sum);
    if (rest > 0) memcpy((unsigned char *)sums + sizeof sum, at, rest);
    return sizeof sum + rest;
}
