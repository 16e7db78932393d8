package dev.lacuna.core.planning.swap.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.planning.swap.adaptive.method.LayerOptimum;
import dev.lacuna.core.planning.swap.adaptive.method.UniformMethod;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayerProfileTest {
    private static final long MIB = 1 << 20;
    private static final LayerProfile MEASURED = new LayerProfile(
            List.of(
                    new LayerMeasurement("a", 10, 20, 60 * MIB, 2 * MIB, 5, 5, 4),
                    new LayerMeasurement("b", 10, 20, 60 * MIB, 2 * MIB, 5, 5, 4)),
            60,
            161 * MIB,
            200 * MIB,
            41 * MIB,
            0);

    @Test
    void steps_that_needed_more_are_planned_for() {
        LayerProfile range = MEASURED.overTheRange(237 * MIB);
        assertThat(range.otherBytes() + range.savedBytes()).isCloseTo(237 * MIB, within(4L));
        assertThat(new UniformMethod("store-all", LayerAction.KEEP)
                        .plan(MEASURED, 200 * MIB)
                        .fits())
                .isTrue();
        assertThat(new UniformMethod("store-all", LayerAction.KEEP)
                        .plan(range, 200 * MIB)
                        .fits())
                .isFalse();
        assertThat(new LayerOptimum().plan(range, 200 * MIB).fits()).isTrue();
    }

    @Test
    void steps_that_needed_less_change_nothing() {
        assertThat(MEASURED.overTheRange(161 * MIB)).isEqualTo(MEASURED);
        assertThat(MEASURED.overTheRange(0)).isEqualTo(MEASURED);
    }
}
