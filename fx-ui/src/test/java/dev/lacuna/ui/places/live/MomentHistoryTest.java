package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.Counters;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MomentHistoryTest {
    private final MomentHistory moments = new MomentHistory();

    private void add(long timeNs) {
        moments.add(new LiveMoment(
                timeNs,
                timeNs,
                Counters.ofADevice().build(),
                Optional.empty(),
                Optional.empty(),
                Comparison.NONE,
                OptionalDouble.empty()));
    }

    @Test
    void finds_the_nearest_and_the_first_that_knows() {
        add(100);
        add(200);
        add(300);
        assertThat(moments.nearest(240).orElseThrow().timeNs()).isEqualTo(200);
        assertThat(moments.nearest(260).orElseThrow().timeNs()).isEqualTo(300);
        assertThat(moments.knowing(201).orElseThrow().timeNs()).isEqualTo(300);
        assertThat(moments.knowing(200).orElseThrow().timeNs()).isEqualTo(200);
        assertThat(moments.nearest(-5).orElseThrow().timeNs()).isEqualTo(100);
        assertThat(moments.knowing(999).orElseThrow().timeNs()).isEqualTo(300);
    }

    @Test
    void leaves_out_what_does_not_lie_after_the_newest() {
        add(100);
        add(100);
        add(90);
        assertThat(moments.size()).isEqualTo(1);
    }

    @Test
    void keeps_the_whole_session_in_bounded_room_and_the_newest_in_full() {
        int all = 10 * MomentHistory.MOST;
        for (int i = 1; i <= all; i++) {
            add(i);
        }
        assertThat(moments.size()).isLessThanOrEqualTo(MomentHistory.MOST);
        assertThat(moments.nearest(1).orElseThrow().timeNs()).isEqualTo(1);
        for (int i = all - 1000; i <= all; i++) {
            assertThat(moments.nearest(i).orElseThrow().timeNs()).isEqualTo(i);
        }
    }
}
