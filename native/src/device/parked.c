#include "device/parked.h"

#include "device/device.h"
#include "prim/bits.h"
#include "prim/pages.h"

#include <sys/mman.h>

bool parked_init(parked *p, uint64_t span) {
    p->span = span;
    p->slots = pages_take(bits_bytes(span));
    return p->slots != NULL;
}

void parked_close(parked *p) { pages_give(p->slots, bits_bytes(p->span)); }

bool parked_put(parked *p, char *address, uint64_t first, uint64_t count) {
    if (madvise(address, count * SLOT_BYTES, MADV_FREE) != 0) return false;
    bits_set_range(p->slots, first, first + count - 1);
    p->count += count;
    return true;
}

void parked_forget(parked *p, uint64_t first, uint64_t count) {
    if (p->count == 0) return;
    p->count -= bits_count(p->slots, first, first + count - 1);
    bits_clear_range(p->slots, first, first + count - 1);
}

static uint64_t run_between(const parked *p, uint64_t from, uint64_t limit, uint64_t most, uint64_t *first) {
    *first = bits_next(p->slots, from, limit, true);
    uint64_t end = limit - *first > most ? *first + most : limit;
    return bits_next(p->slots, *first, end, false) - *first;
}

uint64_t parked_run(const parked *p, uint64_t first, uint64_t last, uint64_t most, uint64_t *from) {
    if (p->count == 0) return 0;
    uint64_t below = run_between(p, 0, first, most, from);
    return below > 0 ? below : run_between(p, last + 1, p->span, most, from);
}
