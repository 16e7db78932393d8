#include "pool/message.h"

#include "device/device.h"

#include <stdio.h>

void message_size(uint64_t bytes, char text[MESSAGE_SIZE_BYTES]) {
    const double kib = 1024, mib = kib * 1024, gib = mib * 1024;
    if (bytes <= 1024) {
        snprintf(text, MESSAGE_SIZE_BYTES, "%u bytes", (unsigned)bytes);
    } else if (bytes <= 1048576) {
        snprintf(text, MESSAGE_SIZE_BYTES, "%.2f KiB", (double)bytes / kib);
    } else if (bytes <= 1073741824) {
        snprintf(text, MESSAGE_SIZE_BYTES, "%.2f MiB", (double)bytes / mib);
    } else {
        snprintf(text, MESSAGE_SIZE_BYTES, "%.2f GiB", (double)bytes / gib);
    }
}

size_t message_out_of_memory(const lacuna_device_counters *c, const char *device, uint64_t tried, char *text,
                             size_t bytes) {
    uint64_t taken = c->outside_bytes + c->reserved_bytes;
    uint64_t free = c->total_bytes > taken ? c->total_bytes - taken : 0;
    enum { TRIED, TOTAL, ALLOCATED, ACTIVE, FREE, LIMIT, RESERVED, GAP, RELEASABLE, SPLIT, PENDING, COUNT };
    const uint64_t sizes[COUNT] = {
        tried, c->total_bytes, c->allocated_bytes, c->active_bytes, free, c->limit_bytes, c->reserved_bytes,
        c->reserved_bytes - c->allocated_bytes, c->releasable_bytes, c->split_bytes, c->pending_bytes,
    };
    char s[COUNT][MESSAGE_SIZE_BYTES];
    for (int i = 0; i < COUNT; i++) message_size(sizes[i], s[i]);
    char allowed[MESSAGE_SIZE_BYTES + 16] = "";
    if (c->fraction < 1) snprintf(allowed, sizeof allowed, " %s allowed;", s[LIMIT]);

    int n = snprintf(text, bytes,
                     "%s out of memory. Tried to allocate %s (%s; %s total capacity; %s already allocated; "
                     "%s current active; %s free;%s %s reserved in total by PyTorch) gap %s: %s releasable, %s split, "
                     "%s pending. Optimisation %s.",
                     device_backend_of((int)c->backend)->out_of_memory, s[TRIED], device, s[TOTAL], s[ALLOCATED], s[ACTIVE], s[FREE], allowed, s[RESERVED], s[GAP],
                     s[RELEASABLE], s[SPLIT], s[PENDING], c->optimisation ? "on" : "off");
    if (n < 0 || bytes == 0) return 0;
    return (size_t)n < bytes ? (size_t)n : bytes - 1;
}
