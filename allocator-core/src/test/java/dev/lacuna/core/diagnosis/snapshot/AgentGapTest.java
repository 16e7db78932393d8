package dev.lacuna.core.diagnosis.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.agent.AgentHistory;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.history.timeline.TimelineReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentGapTest {
    private static final long BASE = 1L << 40;
    private static final long MIB = 1L << 20;

    private static DeviceHistory recorded(PoolName pool) {
        AgentHistory reported = new AgentHistory(0);
        reported.add(EventKind.GROW, 1, BASE, 12 * MIB, pool.ordinal(), 0);
        reported.add(EventKind.ALLOC, 2, BASE + MIB, 2 * MIB, pool.ordinal(), 0);
        return reported.build(OpenRequest.ALL).history();
    }

    private static HistoryEvidence evidence(DeviceHistory history) {
        return new HistoryEvidence(history, List.of(), Redaction.NONE, Thresholds.DEFAULT);
    }

    @Test
    void findings_and_figures_divide_the_gap_of_an_agent_s_recording_alike() {
        for (PoolName pool : List.of(PoolName.SHORT_LARGE, PoolName.STOCK_LARGE)) {
            DeviceHistory history = recorded(pool);
            assertThat(evidence(history).occupancy(history.size()).totals().gap())
                    .isEqualTo(history.figures().gap());
        }
        assertThat(recorded(PoolName.SHORT_LARGE).figures().gap().releasableBytes())
                .isEqualTo(8 * MIB);
    }

    @Test
    void a_run_that_gives_chunks_back_stays_releasable_in_the_others() {
        AgentHistory reported = new AgentHistory(0);
        reported.add(EventKind.GROW, 1, BASE, 12 * MIB, PoolName.SHORT_LARGE.ordinal(), 0);
        reported.add(EventKind.ALLOC, 2, BASE + MIB, 2 * MIB, PoolName.SHORT_LARGE.ordinal(), 0);
        reported.add(EventKind.RELEASE, 3, BASE + 10 * MIB, 2 * MIB, PoolName.SHORT_LARGE.ordinal(), 0);
        reported.add(EventKind.RELEASE, 4, BASE + 6 * MIB, 2 * MIB, PoolName.SHORT_LARGE.ordinal(), 0);
        DeviceHistory history = reported.build(OpenRequest.ALL).history();
        TimelineReader timeline = Timeline.of(history).reader();
        long[] releasable = {0, 12, 8, 6, 4};
        for (int moment = 0; moment <= history.size(); moment++) {
            assertThat(timeline.at(moment).gap().releasableBytes()).isEqualTo(releasable[moment] * MIB);
            assertThat(new Rewind(history).at(moment).totals()).isEqualTo(timeline.at(moment));
        }
    }

    @Test
    void nobody_is_told_to_turn_on_what_is_on() {
        assertThat(HistoryRemedies.againstSplitting(evidence(recorded(PoolName.LONG_LARGE))))
                .noneMatch(remedy -> remedy.id().equals("optimisation-on"));
        assertThat(HistoryRemedies.againstSplitting(evidence(recorded(PoolName.STOCK_LARGE))))
                .anyMatch(remedy -> remedy.id().equals("optimisation-on"));
    }
}
