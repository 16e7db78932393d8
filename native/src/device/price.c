#include "device/price.h"

#include <stdlib.h>
#include <string.h>

static uint64_t known(const price *p) { return p->count < PRICES ? p->count : PRICES; }

void price_note(price *p, uint64_t ns, uint64_t units) {
    if (units == 0) return;
    uint64_t each = ns / units;
    p->last[p->count++ % PRICES] = each > 0 ? each : 1;
    p->sum_ns += ns;
}

static int by_value(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static uint64_t quartile(const price *p, uint64_t number) {
    uint64_t sorted[PRICES], n = known(p);
    if (n == 0) return 0;
    memcpy(sorted, p->last, sizeof sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    return sorted[(n - 1) * number / 4];
}

uint64_t price_low(const price *p) { return quartile(p, 1); }

uint64_t price_high(const price *p) {
    uint64_t n = known(p), sum = 0, upper = quartile(p, 3);
    for (uint64_t i = 0; i < n; i++) sum += p->last[i];
    return n > 0 && sum / n > upper ? sum / n : upper;
}
