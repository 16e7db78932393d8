#include "pool/stream.h"

#include "prim/pages.h"

bool streams_open(streams *s) {
    s->handle = pages_take(STREAMS_MOST * sizeof *s->handle);
    return s->handle != NULL;
}

void streams_close(streams *s) {
    if (s->handle != NULL) pages_give(s->handle, STREAMS_MOST * sizeof *s->handle);
    *s = (streams){0};
}

uint32_t stream_number(streams *s, uint64_t handle) {
    if (s->known > 0 && s->handle[s->current] == handle) return s->current;
    for (uint32_t i = 0; i < s->known; i++) {
        if (s->handle[i] == handle) return i;
    }
    if (s->known == STREAMS_MOST) return STREAMS_MOST - 1;
    s->handle[s->known] = handle;
    return s->known++;
}
