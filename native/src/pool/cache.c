#include "pool/cache.h"

/* Large segments go before small ones. */
static void release_side(lacuna_agent *a, enum side side, uint64_t target) {
    static const uint8_t of_stock[] = {LACUNA_POOL_STOCK_LARGE, LACUNA_POOL_STOCK_SMALL};
    static const uint8_t of_lifetime[] = {LACUNA_POOL_SHORT_LARGE, LACUNA_POOL_LONG_LARGE, LACUNA_POOL_SHORT_SMALL, LACUNA_POOL_LONG_SMALL};
    if (side == SIDE_SEGREGATED) segregated_release(a, target);
    for (int i = 0; side == SIDE_STOCK && i < 2; i++) stock_release(a, of_stock[i], target);
    for (int i = 0; side == SIDE_LIFETIME && i < 4; i++) stock_release(a, of_lifetime[i], target);
}

void cache_release(lacuna_agent *a, uint64_t target) {
    for (int side = 0; side < SIDES; side++) release_side(a, (enum side)side, target);
}

void cache_release_other(lacuna_agent *a) {
    for (int side = 0; side < SIDES; side++) {
        if ((enum side)side != serving(a)) release_side(a, (enum side)side, 0);
    }
}
