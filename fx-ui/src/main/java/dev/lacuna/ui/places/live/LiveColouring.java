package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.ui.blockmap.BlockTones;
import java.util.Locale;
import java.util.Optional;

/** What the colour of a living block tells. */
enum LiveColouring {
    /** Long- or short-lived, as its pool has it. */
    POOL,
    /** How long it has been there. */
    AGE,
    /** How large it is. */
    SIZE;

    /** The first step of the scale of ages; each is four times the one before, up to about three minutes. */
    private static final double FIRST_AGE_NS = 10e6;

    private static final double AGE_FACTOR = 4;

    /** Part of text keys. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    int tone(Optional<PoolName> pool, long ageNs, long bytes) {
        return switch (this) {
            case POOL -> pool.map(LiveColouring::tone).orElse(BlockTones.PLAIN);
            case AGE ->
                BlockTones.step((int) Math.ceil(Math.log(Math.max(1, ageNs) / FIRST_AGE_NS) / Math.log(AGE_FACTOR)));
            case SIZE -> BlockTones.step(BlockTones.sizeStep(bytes));
        };
    }

    private static int tone(PoolName pool) {
        return switch (pool) {
            case LONG_SMALL, LONG_LARGE -> BlockTones.LONG;
            case SHORT_SMALL, SHORT_LARGE -> BlockTones.SHORT;
            case STOCK_LARGE -> BlockTones.ALLOCATED;
            case STOCK_SMALL -> BlockTones.PLAIN;
        };
    }
}
