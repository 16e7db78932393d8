package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.process.PoolsFirst.Door;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.history.mirror.PoolsFloor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolsMissedTest {
    private static final Change ON = Change.optimisation(true);
    private static final long MIB = 1L << 20;
    private static final PoolsFloor FLOOR = new PoolsFloor(20 * MIB, 3 * MIB, 4 * MIB, 1);

    private final StockTrainer trainer = new StockTrainer();

    @Test
    void looks_at_the_blocks_where_pytorchs_own_setting_is_changed() throws Exception {
        trainer.can("settings");
        trainer.tells(mapOfABlock());
        assertThat(PoolsMissed.look(trainer, ON, new Door.Closed()))
                .isEqualTo(new PoolsMissed(true, Optional.of(FLOOR)));
        assertThat(PoolsMissed.look(trainer, ON, new Door.Stuck("no-front", "no compiler"))
                        .asked())
                .isTrue();
    }

    @Test
    void says_that_there_is_no_map_where_none_is_told() throws Exception {
        trainer.can("settings");
        trainer.tells(new Sample(0, 1, 4711, ProcessState.GONE, List.of(), MemoryEvents.NONE, 0));
        PoolsMissed missed = PoolsMissed.look(trainer, ON, new Door.None());
        assertThat(missed).isEqualTo(new PoolsMissed(true, Optional.empty()));
        assertThat(missed.words("4711").orElseThrow()).contains("not known", "record 4711");
        assertThat(json(missed)).contains("\"pools_floor\":null");
    }

    @Test
    void looks_at_nothing_where_the_pools_serve_or_nothing_is_switched_on() throws Exception {
        trainer.can("settings");
        assertThat(PoolsMissed.look(trainer, ON, new Door.Opened())).isEqualTo(PoolsMissed.NOT_ASKED);
        assertThat(PoolsMissed.look(trainer, ON, new Door.Stuck("no-step", "later")))
                .isEqualTo(PoolsMissed.NOT_ASKED);
        assertThat(PoolsMissed.look(trainer, Change.optimisation(false), new Door.None()))
                .isEqualTo(PoolsMissed.NOT_ASKED);
        trainer.can("front");
        assertThat(PoolsMissed.look(trainer, ON, new Door.Closed())).isEqualTo(PoolsMissed.NOT_ASKED);
        trainer.carriesAnAgent();
        assertThat(PoolsMissed.look(trainer, ON, new Door.None())).isEqualTo(PoolsMissed.NOT_ASKED);
        assertThat(PoolsMissed.NOT_ASKED.words("4711")).isEmpty();
        assertThat(json(PoolsMissed.NOT_ASKED)).doesNotContain("pools_floor");
    }

    @Test
    void tells_the_figure_with_what_it_was_worked_out_from() {
        PoolsMissed missed = new PoolsMissed(true, Optional.of(FLOOR));
        assertThat(missed.words("4711").orElseThrow()).contains("3.00 MiB", "20.0 MiB", "4.00 MiB", "record 4711");
        assertThat(json(missed))
                .contains("\"pools_floor\":{\"blocks\":1,\"allocated_bytes\":3145728,\"reserved_bytes\":20971520,"
                        + "\"least_reserved_bytes\":4194304}");
    }

    private static Sample mapOfABlock() {
        long base = 1L << 40;
        byte pool = (byte) PoolName.STOCK_LARGE.ordinal();
        MemoryEvents events = new MemoryEvents(
                0,
                2,
                new long[] {1, 2},
                new long[] {base, base + 5 * MIB},
                new long[] {20 * MIB, 3 * MIB},
                new byte[] {(byte) (EventKind.MAPPED.ordinal() + 1), (byte) (EventKind.HELD.ordinal() + 1)},
                new byte[] {pool, pool},
                new byte[2],
                new int[2]);
        return new Sample(0, 3, 4711, ProcessState.RUNNING, List.of(), events, 0);
    }

    private static String json(PoolsMissed missed) {
        Reply applied = new Reply.Applied(true, 1, 1L << 30, Map.of(), Map.of(), 0);
        return ChangeJson.of(
                ON, applied, List.of(), new ChangeJson.Beside(new Door.None(), missed, Compacted.NOT_ASKED));
    }
}
