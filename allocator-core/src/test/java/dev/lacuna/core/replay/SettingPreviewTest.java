package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.counters.LivePeak;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.HeldSegment.HeldBlock;
import dev.lacuna.core.base.event.OpeningMemory;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SettingPreviewTest {
    private static final long MIB = 1L << 20;

    @Test
    void free_memory_of_two_segments_joins_where_segments_grow() {
        SettingPreview found = preview("", "expandable_segments:True");
        assertThat(found.reservedBytes()).isEqualTo(found.withPresentBytes());
        assertThat(found.withPresentBytes()).isEqualTo(160 * MIB);
        assertThat(found.withChangedBytes()).isEqualTo(80 * MIB);
        assertThat(found.allocatedBytes()).isEqualTo(80 * MIB);
        assertThat(found.live()).hasValue(new LivePeak(80 * MIB, 80 * MIB, 80 * MIB));
        assertThat(found.failures()).isZero();
    }

    @Test
    void a_change_says_what_holds_then() {
        assertThat(SettingPreview.changed("", "a", "1")).isEqualTo("a:1");
        assertThat(SettingPreview.changed("b:2,a:0", "a", "1")).isEqualTo("b:2,a:0,a:1");
        SettingPreview found = preview(
                "expandable_segments:True",
                SettingPreview.changed("expandable_segments:True", "expandable_segments", "False"));
        assertThat(found.withChangedBytes()).isGreaterThan(found.withPresentBytes());
        assertThat(found.live()).as("where segments grow already").isEmpty();
    }

    /** Of a free segment of 60 MiB the first takes 20, and the rest is too small for the second. */
    @Test
    void segments_that_grow_from_now_on_come_beside_those_that_are_there() {
        HeldSegment whole = new HeldSegment(true, 0, 60 * MIB, 0, List.of(HeldBlock.free(60 * MIB)));
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(20 * MIB, 0);
        trace.free(trace.alloc(50 * MIB, 0));
        trace.alloc(70 * MIB, 0);
        AllocationTrace late = trace.build().startingFrom(new OpeningMemory(List.of(whole)));
        SettingPreview found = SettingPreview.of(late, ReplaySettings.RECORDED, "", "expandable_segments:True");
        assertThat(found.reservedBytes()).isEqualTo(180 * MIB);
        assertThat(found.live()).hasValue(new LivePeak(140 * MIB, 140 * MIB, 140 * MIB));
    }

    @Test
    void what_cannot_be_replayed_is_refused() {
        for (String settings : new String[] {"no_such_key:1", "backend:cudaMallocAsync"}) {
            assertThatThrownBy(() -> preview("", settings)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void the_threshold_of_garbage_collection_is_a_share_of_the_device_s_cap() {
        String collecting = "garbage_collection_threshold:0.4";
        assertThat(preview("", collecting).withChangedBytes()).isEqualTo(160 * MIB);
        ReplaySettings capped = new ReplaySettings(OptionalLong.of(200 * MIB), OptionalDouble.of(0.9), 1);
        SettingPreview found = SettingPreview.of(fragmenting(), capped, "", collecting);
        assertThat(found.withPresentBytes()).isEqualTo(160 * MIB);
        assertThat(found.withChangedBytes()).isEqualTo(80 * MIB);
    }

    /** A recording that began when a segment of 60 MiB was free, which smaller ones were cut from until then. */
    @Test
    void set_while_it_runs_it_goes_on_from_where_all_lies() {
        HeldSegment whole = new HeldSegment(true, 0, 60 * MIB, 0, List.of(HeldBlock.free(60 * MIB)));
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.alloc(20 * MIB, 0);
        AllocationTrace late = trace.build().startingFrom(new OpeningMemory(List.of(whole)));
        SettingPreview found = SettingPreview.of(late, ReplaySettings.RECORDED, "", "max_split_size_mb:40");
        assertThat(found.reservedBytes()).isEqualTo(60 * MIB);
        assertThat(found.withChangedBytes()).isEqualTo(20 * MIB);
        assertThat(found.live()).hasValue(new LivePeak(80 * MIB, 80 * MIB, 80 * MIB));
    }

    /** Set at once nothing is cut from the segment; a moment later something was, and the rest serves all the others. */
    @Test
    void when_it_is_set_counts_and_the_range_of_moments_is_told() {
        HeldSegment whole = new HeldSegment(true, 0, 60 * MIB, 0, List.of(HeldBlock.free(60 * MIB)));
        AllocationTrace.Builder trace = AllocationTrace.builder();
        int kept = trace.alloc(20 * MIB, 0);
        for (int n = 0; n < 12; n++) {
            trace.free(trace.alloc(30 * MIB, 0));
        }
        trace.free(kept);
        AllocationTrace late = trace.build().startingFrom(new OpeningMemory(List.of(whole)));
        LivePeak live = SettingPreview.of(late, ReplaySettings.RECORDED, "", "max_split_size_mb:41")
                .live()
                .orElseThrow();
        assertThat(live).isEqualTo(new LivePeak(110 * MIB, 60 * MIB, 110 * MIB));
    }

    @Test
    void what_does_not_fit_on_the_device_is_counted() {
        ReplaySettings small = ReplaySettings.RECORDED.capacity(70 * MIB);
        assertThat(SettingPreview.of(fragmenting(), small, "", "max_split_size_mb:30")
                        .failures())
                .isPositive();
    }

    private static SettingPreview preview(String present, String changed) {
        return SettingPreview.of(fragmenting(), ReplaySettings.RECORDED, present, changed);
    }

    /** Two blocks go, and one as large as both comes. */
    private static AllocationTrace fragmenting() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        int first = trace.alloc(40 * MIB, 0);
        int second = trace.alloc(40 * MIB, 0);
        trace.free(first);
        trace.free(second);
        trace.alloc(80 * MIB, 0);
        return trace.build();
    }
}
