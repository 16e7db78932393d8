package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final long MIB = 1L << 20;

    private static final AllocatorPolicy CACHING =
            AllocatorPolicies.named("caching").orElseThrow();
    private static final AllocatorPolicy SEGREGATED =
            AllocatorPolicies.named("segregated").orElseThrow();

    /** 12 MiB kept, 30 MiB freed, then 40 MiB. */
    private static AllocationTrace.Builder layers() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(12 * MIB, 0);
        int temporary = trace.alloc(30 * MIB, 0);
        trace.free(temporary);
        trace.free(trace.alloc(40 * MIB - 100, 0));
        return trace;
    }

    private static ReplayResult on(long capacity, AllocatorPolicy policy, AllocationTrace trace) {
        return new Replay(trace, ReplaySettings.RECORDED.capacity(capacity)).run(policy);
    }

    @Test
    void reports_peaks_over_the_whole_run() {
        ReplayResult result = on(1L << 30, CACHING, layers().build());
        assertThat(result).isEqualTo(new ReplayResult("caching", 5, 52 * MIB - 100, 52 * MIB, 82 * MIB, 0, 0, 3, 0, 0));
        assertThat(result.fragmentation()).isEqualTo(1 - 52.0 / 82);
        assertThat(result.remapsPerStep()).isEmpty();
    }

    @Test
    void counts_chunks_as_the_segments_of_the_segregated_policy() {
        assertThat(on(1L << 30, SEGREGATED, layers().build()).segments()).isEqualTo(26);
    }

    @Test
    void skips_a_request_that_fails_and_ignores_its_free() {
        List<Outcome> outcomes = new ArrayList<>();
        ReplayResult result = new Replay(layers().build(), ReplaySettings.RECORDED.capacity(50 * MIB))
                .run(CACHING, (rows, row, outcome, allocator) -> outcomes.add(outcome));
        assertThat(outcomes)
                .containsExactly(Outcome.PLACED, Outcome.PLACED, Outcome.EMPTY, Outcome.OUT_OF_MEMORY, Outcome.EMPTY);
        assertThat(result.ooms()).isEqualTo(1);
        assertThat(result.events()).isEqualTo(5);
    }

    @Test
    void remaps_are_told_per_step_where_steps_are_marked() {
        AllocationTrace.Builder trace = AllocationTrace.builder().phase(Phase.SETUP, true);
        int setup = trace.alloc(24 * MIB, 0);
        trace.phase(Phase.SETUP, false).free(setup).phase(Phase.STEP, true);
        trace.alloc(512, 0);
        trace.phase(Phase.STEP, false).phase(Phase.STEP, true).phase(Phase.STEP, false);
        ReplayResult result = on(24 * MIB, SEGREGATED, trace.build());
        assertThat(result.remaps()).isEqualTo(1);
        assertThat(result.remapsPerStep()).hasValue(0.5);
    }

    @Test
    void capacity_is_the_traces_own_unless_said_and_64_gib_where_it_says_none() {
        AllocationTrace small = layers().total(50 * MIB).build();
        assertThat(new Replay(small, ReplaySettings.RECORDED).run(CACHING).ooms())
                .isEqualTo(1);
        assertThat(on(1L << 30, CACHING, small).ooms()).isZero();
        AllocationTrace.Builder huge = AllocationTrace.builder();
        huge.alloc(64L << 30, 0);
        huge.alloc(1, 0);
        assertThat(new Replay(huge.build(), ReplaySettings.RECORDED)
                        .run(CACHING)
                        .ooms())
                .isEqualTo(1);
    }

    @Test
    void a_fraction_that_is_said_beats_the_traces() {
        AllocationTrace.Builder trace = AllocationTrace.builder().fraction(0.25);
        trace.alloc(50 * MIB, 0);
        AllocationTrace capped = trace.build();
        assertThat(on(100 * MIB, CACHING, capped).ooms()).isEqualTo(1);
        ReplaySettings half = new ReplaySettings(OptionalLong.of(100 * MIB), OptionalDouble.of(0.5), 1);
        assertThat(new Replay(capped, half).run(CACHING).ooms()).isZero();
    }

    @Test
    void scale_multiplies_each_request_before_it_is_rounded() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(100, 0);
        ReplayResult result = new Replay(trace.build(), ReplaySettings.RECORDED.scaledBy(6)).run(CACHING);
        assertThat(result.peakRequestedBytes()).isEqualTo(600);
        assertThat(result.peakAllocatedBytes()).isEqualTo(1024);
    }

    @Test
    void a_request_scaled_beyond_64_bits_is_out_of_memory_and_not_small() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(1L << 62, 0);
        assertThat(new Replay(trace.build(), ReplaySettings.RECORDED.scaledBy(4))
                        .run(SEGREGATED)
                        .ooms())
                .isEqualTo(1);
    }

    @Test
    void the_smallest_capacity_suffices_and_the_next_smaller_does_not() {
        AllocationTrace trace = layers().build();
        for (AllocatorPolicy policy : AllocatorPolicies.all()) {
            long minimum = new MinimumCapacity(trace, ReplaySettings.RECORDED)
                    .find(policy)
                    .orElseThrow();
            assertThat(on(minimum, policy, trace).ooms()).isZero();
            assertThat(on(minimum - 2 * MIB, policy, trace).ooms()).isPositive();
        }
    }

    @Test
    void the_smallest_capacity_is_the_whole_card_whatever_cap_was_set_while_recording() {
        AllocationTrace.Builder capped = AllocationTrace.builder().total(1L << 30);
        int first = capped.alloc(12 * MIB, 0);
        capped.fraction(0.05);
        capped.free(capped.alloc(30 * MIB, 0)).free(first);
        AllocationTrace trace = capped.build();
        assertThat(new MinimumCapacity(trace, ReplaySettings.RECORDED).find(CACHING))
                .hasValue(42 * MIB);
        ReplaySettings half = new ReplaySettings(OptionalLong.empty(), OptionalDouble.of(0.5), 1);
        assertThat(new MinimumCapacity(trace, half).find(CACHING)).hasValue(84 * MIB);
    }

    @Test
    void tells_the_lowest_cap_that_it_took_from_the_trace() {
        AllocationTrace.Builder capped = AllocationTrace.builder().fraction(0.5).fraction(0.05);
        capped.fraction(1).alloc(MIB, 0);
        AllocationTrace trace = capped.build();
        assertThat(on(1L << 30, CACHING, trace).recordedCap()).hasValue(0.05);
        ReplaySettings whole = new ReplaySettings(OptionalLong.empty(), OptionalDouble.of(1), 1);
        assertThat(new Replay(trace, whole).run(CACHING).recordedCap()).isEmpty();
        assertThat(on(1L << 30, CACHING, layers().build()).recordedCap()).isEmpty();
    }

    @Test
    void no_capacity_suffices_for_what_no_device_can_hold() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(Long.MAX_VALUE, 0);
        assertThat(new MinimumCapacity(trace.build(), ReplaySettings.RECORDED).find(CACHING))
                .isEmpty();
    }
}
