package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.trace.model.AllocationTrace;
import org.junit.jupiter.api.Test;

class SettingPreviewTest {
    private static final long MIB = 1L << 20;

    @Test
    void free_memory_of_two_segments_joins_where_segments_grow() {
        SettingPreview found = SettingPreview.of(fragmenting(), "", "expandable_segments:True");
        assertThat(found.reservedBytes()).isEqualTo(found.withPresentBytes());
        assertThat(found.withPresentBytes()).isEqualTo(160 * MIB);
        assertThat(found.withChangedBytes()).isEqualTo(80 * MIB);
        assertThat(found.allocatedBytes()).isEqualTo(80 * MIB);
        assertThat(found.failures()).isZero();
    }

    @Test
    void a_change_says_what_holds_then() {
        assertThat(SettingPreview.changed("", "a", "1")).isEqualTo("a:1");
        assertThat(SettingPreview.changed("b:2,a:0", "a", "1")).isEqualTo("b:2,a:0,a:1");
        SettingPreview found = SettingPreview.of(
                fragmenting(),
                "expandable_segments:True",
                SettingPreview.changed("expandable_segments:True", "expandable_segments", "False"));
        assertThat(found.withChangedBytes()).isGreaterThan(found.withPresentBytes());
    }

    @Test
    void what_cannot_be_replayed_is_refused() {
        for (String settings : new String[] {"no_such_key:1", "backend:cudaMallocAsync"}) {
            assertThatThrownBy(() -> SettingPreview.of(fragmenting(), "", settings))
                    .isInstanceOf(IllegalArgumentException.class);
        }
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
