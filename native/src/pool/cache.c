#include "pool/cache.h"

void cache_release(lacuna_agent *a, uint64_t target) {
    stock_release(a, target);
    segregated_release(a, target);
}

void cache_release_other(lacuna_agent *a) {
    if (optimised(a)) {
        stock_release(a, 0);
    } else {
        segregated_release(a, 0);
    }
}
