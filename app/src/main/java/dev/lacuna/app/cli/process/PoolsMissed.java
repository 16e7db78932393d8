package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.process.PoolsFirst.Door;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.Facts;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.history.mirror.PoolsFloor;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What Lacuna's pools would reserve where PyTorch's own setting is changed in their place.
 *
 * @param asked whether that is so
 * @param floor the figure; empty where no map of the blocks is told
 */
record PoolsMissed(boolean asked, Optional<PoolsFloor> floor) {
    /** The pools serve, or nothing is switched on. */
    static final PoolsMissed NOT_ASKED = new PoolsMissed(false, Optional.empty());

    /** Maps are a second apart, or more where they cost time. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Looks at its blocks, before the change. */
    static PoolsMissed look(AttachedProcess process, Change change, Door door)
            throws BridgeException, InterruptedException {
        boolean done = door instanceof Door.Opened || door instanceof Door.Stuck stuck && stuck.opensLater();
        if (done || !change.optimisation().orElse(false) || !changesSettings(process)) {
            return NOT_ASKED;
        }
        BlockWatch.Seen seen = BlockWatch.look(
                process, change.device(), PATIENCE, map -> PoolsFloor.of(map).isPresent());
        return new PoolsMissed(true, PoolsFloor.of(seen.blocks()));
    }

    /** On the host there is nothing that could be changed in their place. */
    private static boolean changesSettings(AttachedProcess process) throws BridgeException {
        Optional<StockControl> stock = process.stock();
        return stock.isPresent()
                && stock.get().facts() instanceof Answer.Given<Facts> known
                && known.value().can().contains("settings");
    }

    /** In words, for whoever switched it on. */
    Optional<String> words(String pid) {
        if (!asked) {
            return Optional.empty();
        }
        return Optional.of(floor.map(known -> CliText.text(
                        "set.floor",
                        known.blocks(),
                        ByteSize.format(known.allocatedBytes()),
                        ByteSize.format(known.reservedBytes()),
                        ByteSize.format(known.leastBytes()),
                        pid))
                .orElseGet(() -> CliText.text("set.floor.none", pid)));
    }

    /** Its member of the document; none where it does not apply. */
    void write(JsonGenerator json) throws IOException {
        if (!asked) {
            return;
        }
        if (floor.isEmpty()) {
            json.writeNullField("pools_floor");
            return;
        }
        json.writeObjectFieldStart("pools_floor");
        json.writeNumberField("blocks", floor.get().blocks());
        json.writeNumberField("allocated_bytes", floor.get().allocatedBytes());
        json.writeNumberField("reserved_bytes", floor.get().reservedBytes());
        json.writeNumberField("least_reserved_bytes", floor.get().leastBytes());
        json.writeEndObject();
    }
}
