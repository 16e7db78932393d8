package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceChainTest {
    /** Each layer takes 100 ns forwards and 200 backwards; weights of 1,000 bytes stay. */
    private static AllocationTrace trace(int layers, boolean marked, boolean reversed) {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.at(0).alloc(1_000, 0);
        long time = 1_000;
        if (marked) {
            trace.at(time).phase(Phase.STEP, true);
            trace.at(time).phase(Phase.FORWARD, true);
        }
        List<List<Integer>> saved = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            int input = trace.at(time).alloc(10, 0);
            int inner = trace.at(time + 50).alloc(70, 0);
            int scratch = trace.at(time + 60).alloc(5, 0);
            trace.at(time + 70).free(scratch);
            saved.add(List.of(inner, input));
            time += 100;
        }
        if (marked) {
            trace.at(time).phase(Phase.FORWARD, false);
        }
        if (reversed) {
            Collections.reverse(saved);
        }
        for (List<Integer> layer : saved) {
            time += 200;
            for (int block : layer) {
                trace.at(time).free(block);
            }
        }
        if (marked) {
            trace.at(time).phase(Phase.STEP, false);
        }
        return trace.build();
    }

    @Test
    void tells_layers_apart_by_what_goes_first() throws Exception {
        PlanningProfile.Chain chain = TraceChain.of(trace(6, true, true));
        assertThat(chain.chain().length()).isGreaterThanOrEqualTo(6);
        assertThat(chain.plainPeakBytes()).isBetween(1_480L, 1_600L);
        assertThat(chain.plainTime()).isBetween(1.7e-3, 1.9e-3);
    }

    @Test
    void a_trace_without_marks_tells_nothing_of_backward() {
        assertThatThrownBy(() -> TraceChain.of(trace(6, false, true)))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("forward");
    }

    @Test
    void blocks_that_go_in_the_order_in_which_they_came_are_no_layers() {
        assertThatThrownBy(() -> TraceChain.of(trace(6, true, false))).isInstanceOf(UnreadableException.class);
    }
}
