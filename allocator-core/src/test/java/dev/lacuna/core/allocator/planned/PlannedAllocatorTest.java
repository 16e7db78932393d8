package dev.lacuna.core.allocator.planned;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.packing.Lifetimes;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlannedAllocatorTest {
    private static final AllocatorPolicy PLANNED =
            AllocatorPolicies.named(PlannedAllocator.NAME).orElseThrow();

    /** Block 0 dies before 2 comes and 1 outlives both: online rules leave a hole of 30 MiB below 40 MiB. */
    private static Allocator on(long capacity) {
        Lifetimes future = Lifetimes.builder()
                .add(0, 2, 30 * MIB)
                .add(1, 9, 12 * MIB)
                .add(3, 9, 40 * MIB)
                .build();
        return PLANNED.foreseeing(() -> future, capacity).on(Device.ofCapacity(capacity));
    }

    @Test
    void reserves_no_more_than_lives_at_once() {
        Allocator allocator = on(52 * MIB);
        assertThat(allocator.allocate(0, 30 * MIB, 0)).isEqualTo(Outcome.PLACED);
        assertThat(allocator.allocate(1, 12 * MIB, 0)).isEqualTo(Outcome.PLACED);
        allocator.free(0);
        assertThat(allocator.allocate(2, 40 * MIB, 0)).isEqualTo(Outcome.PLACED);
        assertThat(allocator.peaks().reservedBytes()).isEqualTo(52 * MIB);
        assertThat(allocator.counters().gapNowBytes()).isZero();
    }

    @Test
    void runs_out_of_memory_where_the_plan_reaches_above_the_cap() {
        Allocator allocator = on(50 * MIB);
        int failures = 0;
        for (int id = 0; id < 3; id++) {
            long bytes = new long[] {30 * MIB, 12 * MIB, 40 * MIB}[id];
            failures += allocator.allocate(id, bytes, 0) == Outcome.OUT_OF_MEMORY ? 1 : 0;
            if (id == 1) {
                allocator.free(0);
            }
        }
        assertThat(failures).isPositive();
        assertThat(allocator.counters().ooms()).isEqualTo(failures);
        assertThat(allocator.peaks().reservedBytes()).isLessThanOrEqualTo(50 * MIB);
    }

    @Test
    void fits_a_device_that_ends_within_a_slot() {
        Allocator allocator = PLANNED.foreseeing(
                        () -> Lifetimes.builder()
                                .add(0, 2, MIB / 2)
                                .add(1, 3, MIB / 2)
                                .build(),
                        MIB)
                .on(Device.ofCapacity(MIB));
        assertThat(allocator.allocate(0, MIB / 2, 0)).isEqualTo(Outcome.PLACED);
        assertThat(allocator.allocate(1, MIB / 2, 0)).isEqualTo(Outcome.PLACED);
        assertThat(allocator.peaks().reservedBytes()).isEqualTo(MIB);
        assertThat(allocator.counters().gapNowBytes()).isZero();
        allocator.free(0);
        allocator.free(1);
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void gives_back_what_lies_above_the_live_blocks() {
        Allocator allocator = on(64 * MIB);
        allocator.allocate(0, 30 * MIB, 0);
        assertThat(allocator.limit(2 * MIB)).isEqualTo(allocator.reservedBytes() - 2 * MIB);
        allocator.free(0);
        assertThat(allocator.reservedBytes()).isLessThanOrEqualTo(2 * MIB);
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void plans_once_for_any_number_of_devices() {
        AtomicInteger asked = new AtomicInteger();
        AllocatorPolicy reported = PLANNED.foreseeing(
                () -> {
                    asked.incrementAndGet();
                    return Lifetimes.builder().add(0, 1, 100).build();
                },
                MIB * 4);
        reported.foreseeing(
                () -> {
                    throw new AssertionError("asked again");
                },
                MIB * 4);
        assertThat(reported.on(Device.ofCapacity(MIB * 4)).allocate(0, 100, 0)).isEqualTo(Outcome.PLACED);
        assertThat(asked).hasValue(1);
    }

    @Test
    void refuses_what_it_was_not_told() {
        assertThatThrownBy(() -> PLANNED.on(Device.ofCapacity(MIB))).isInstanceOf(IllegalStateException.class);
        Allocator allocator = on(64 * MIB);
        assertThatThrownBy(() -> allocator.allocate(3, 1, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> allocator.allocate(1, 13 * MIB, 0)).isInstanceOf(IllegalStateException.class);
    }
}
