package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PolicyComparisonTest {
    private static final long MIB = 1L << 20;

    /** Steps of requests of varying sizes, longer than several chunks; some blocks stay. */
    private static AllocationTrace training(int steps, int requestsPerStep) {
        Random random = new Random(7);
        AllocationTrace.Builder trace = AllocationTrace.builder().total(64 * MIB);
        for (int step = 0; step < steps; step++) {
            trace.phase(Phase.STEP, true);
            Deque<Integer> live = new ArrayDeque<>();
            for (int i = 0; i < requestsPerStep; i++) {
                int block = trace.alloc("b" + step + "." + i, 1 + random.nextInt(300_000), 0);
                if (random.nextInt(200) > 0) {
                    live.push(block);
                }
            }
            live.forEach(trace::free);
            trace.phase(Phase.STEP, false);
        }
        return trace.build();
    }

    private static TraceSource streamed(AllocationTrace trace) throws IOException {
        StringWriter text = new StringWriter();
        new TraceTextWriter(text).writeAll(trace);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return () -> TraceReaders.open(new ByteArrayInputStream(bytes));
    }

    private static List<ReplayResult> compare(TraceSource trace, ReplaySettings settings) throws IOException {
        return compare(trace, settings, AllocatorPolicies.all());
    }

    private static List<ReplayResult> compare(
            TraceSource trace, ReplaySettings settings, List<AllocatorPolicy> policies) throws IOException {
        return new PolicyComparison(settings, 2)
                .run(
                        trace,
                        policies.stream()
                                .map(policy -> new PolicyComparison.Entrant(policy, ReplayListener.NONE))
                                .toList());
    }

    @Test
    void one_reading_for_all_equals_one_run_for_each_in_memory_and_streamed() throws IOException {
        compareReadings(training(25, 700), policy -> !policy.needsForesight());
    }

    @Test
    void one_reading_equals_one_run_with_foresight_too() throws IOException {
        compareReadings(training(4, 700), AllocatorPolicy::needsForesight);
    }

    @Test
    @Tag("nightly")
    void one_reading_of_a_longer_trace_equals_one_run_for_each() throws IOException {
        compareReadings(training(40, 700), policy -> true);
    }

    private static void compareReadings(AllocationTrace trace, Predicate<AllocatorPolicy> asked) throws IOException {
        List<AllocatorPolicy> policies =
                AllocatorPolicies.all().stream().filter(asked).toList();
        for (ReplaySettings settings : List.of(ReplaySettings.RECORDED, ReplaySettings.RECORDED.capacity(1L << 40))) {
            List<ReplayResult> alone = new ArrayList<>();
            for (AllocatorPolicy policy : policies) {
                alone.add(new Replay(trace, settings).run(policy));
            }
            assertThat(compare(trace, settings, policies)).isEqualTo(alone);
            assertThat(compare(streamed(trace), settings, policies)).isEqualTo(alone);
        }
    }

    @Test
    void the_smallest_capacity_is_the_same_in_memory_and_streamed() throws IOException {
        AllocationTrace trace = training(4, 300);
        TraceSource streamed = streamed(trace);
        for (AllocatorPolicy policy : AllocatorPolicies.all()) {
            assertThat(new MinimumCapacity(streamed, ReplaySettings.RECORDED).find(policy))
                    .isEqualTo(new MinimumCapacity(trace, ReplaySettings.RECORDED).find(policy));
        }
    }

    @Test
    void a_trace_is_kept_only_when_it_is_short_enough() throws IOException {
        AllocationTrace trace = training(1, 10);
        TraceSource streamed = streamed(trace);
        assertThat(streamed.keptUpTo(trace.size())).isEqualTo(trace);
        assertThat(streamed.keptUpTo(trace.size() - 1)).isSameAs(streamed);
    }

    @Test
    void what_is_wrong_with_the_trace_comes_out() {
        TraceSource broken = () -> TraceReaders.open(new ByteArrayInputStream(
                ("stats\n".repeat(20_000) + "nonsense\n".repeat(20_001)).getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> compare(broken, ReplaySettings.RECORDED))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.line()).isEqualTo(20_001));
    }

    @Test
    void an_interrupted_thread_gives_up() {
        AllocationTrace trace = training(2, 10);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> compare(trace, ReplaySettings.RECORDED)).isInstanceOf(CancellationException.class);
        Thread.currentThread().interrupt();
        AllocatorPolicy policy = AllocatorPolicies.all().get(0);
        assertThatThrownBy(() -> new Replay(trace, ReplaySettings.RECORDED).run(policy))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_timeline_keeps_every_peak_in_bounded_room() throws IOException {
        AllocationTrace trace = training(60, 700);
        ReplayTimeline timeline = new ReplayTimeline();
        ReplayResult result = new Replay(trace, ReplaySettings.RECORDED.capacity(1L << 40))
                .run(AllocatorPolicies.named("caching").orElseThrow(), timeline);
        assertThat(timeline.rows()).isEqualTo(trace.size());
        assertThat(timeline.rowsPerStretch()).isGreaterThan(1);
        long reserved = 0;
        long allocated = 0;
        long steps = 0;
        for (int i = 0; i < timeline.stretches(); i++) {
            reserved = Math.max(reserved, timeline.reservedMax(i));
            allocated = Math.max(allocated, timeline.allocatedMax(i));
            steps += timeline.stepsBegun(i);
            assertThat(timeline.allocatedMin(i)).isLessThanOrEqualTo(timeline.allocatedMax(i));
            assertThat(timeline.reservedMin(i)).isLessThanOrEqualTo(timeline.reservedMax(i));
        }
        assertThat(reserved).isEqualTo(result.peakReservedBytes());
        assertThat(allocated).isEqualTo(result.peakAllocatedBytes());
        assertThat(steps).isEqualTo(60);
        assertThat((timeline.stretches() - 1) * timeline.rowsPerStretch()).isLessThan(trace.size());
        assertThat(timeline.stretches() * timeline.rowsPerStretch()).isGreaterThanOrEqualTo(trace.size());
    }

    @Test
    void a_timeline_counts_what_failed() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(30 * MIB, 0);
        trace.alloc(30 * MIB, 0);
        ReplayTimeline timeline = new ReplayTimeline();
        new Replay(trace.build(), ReplaySettings.RECORDED.capacity(40 * MIB))
                .run(AllocatorPolicies.named("segregated").orElseThrow(), timeline);
        assertThat(timeline.ooms(0)).isZero();
        assertThat(timeline.ooms(1)).isEqualTo(1);
    }
}
