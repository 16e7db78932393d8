package dev.lacuna.core.base.counters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.RecommendedFraction.Reason;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class RecommendedFractionPropertyTest {
    @Property
    void is_the_largest_hundredth_that_leaves_room_or_the_lowest_that_is_safe(
            @ForAll @LongRange(min = 1 << 21, max = 1L << 41) long total,
            @ForAll @LongRange(min = 0, max = 1000) long outsideShare,
            @ForAll @LongRange(min = 0, max = 1000) long safeShare) {
        long outside = total / 1000 * outsideShare;
        long safe = total / 1000 * safeShare;
        RecommendedFraction r = RecommendedFraction.of(total, outside, safe);
        long next = (long) Math.floor((Math.round(r.fraction() * 100) + 1) / 100.0 * total);
        assertThat(r.fraction()).isBetween(0.01, 1.0);
        assertThat(r.capBytes()).isGreaterThanOrEqualTo(safe);
        if (r.reason() == Reason.ROOM_FOR_OUTSIDE && r.fraction() > 0.01) {
            assertThat(r.capBytes()).isLessThanOrEqualTo(total - outside);
            assertThat(next).isGreaterThan(total - outside);
        }
    }
}
