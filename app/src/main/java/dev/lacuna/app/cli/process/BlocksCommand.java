package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.IntervalConverter;
import dev.lacuna.app.cli.output.BarsImage;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.MapImage;
import dev.lacuna.app.cli.output.TableOutput;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolUsage;
import dev.lacuna.core.diagnosis.report.ReportTables;
import dev.lacuna.core.diagnosis.report.ReportText;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.report.TableText;
import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.ui.places.live.LiveMap;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lacuna blocks PID}: the pools of a running process and the blocks in them, as the window's map shows them. */
@Command(name = "blocks", mixinStandardHelpOptions = true)
public final class BlocksCommand implements Callable<Integer> {
    private static final int USUAL_ROWS = 20;

    @Mixin
    private ProcessRequest request;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "1s", converter = IntervalConverter.class)
    private Duration time;

    @Option(names = "--rows", paramLabel = "N")
    private Optional<Integer> rows = Optional.empty();

    @Option(names = "--map")
    private boolean map;

    @Mixin
    private ChartFiles output = new ChartFiles();

    @Spec
    private picocli.CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        if (rows.filter(n -> n < 0).isPresent()) {
            throw new ParameterException(spec.commandLine(), CliText.text("blocks.rows"));
        }
        if (map && !output.isPicture()) {
            throw new ParameterException(spec.commandLine(), CliText.text("blocks.map"));
        }
        MemoryCounters counters;
        LiveBlocks blocks;
        try (AttachedProcess process = request.open()) {
            int device = asked.in(process.sample().devices());
            BlockWatch.Seen seen = BlockWatch.look(process, device, time);
            blocks = seen.blocks();
            counters = seen.sample().devices().stream()
                    .filter(c -> c.device() == device)
                    .findFirst()
                    .orElseThrow(() -> new BridgeException(
                            BridgeException.Reason.UNREADABLE, CliText.text("blocks.device", request.pid())));
        }
        output.write(
                () -> pieces(blocks, Integer.MAX_VALUE),
                () -> map ? MapImage.png(LiveMap.of(blocks)) : pools(counters));
        int usual = request.isJson() ? Integer.MAX_VALUE : USUAL_ROWS;
        Table pieces = pieces(blocks, usual);
        request.answer(json -> write(json, counters, blocks, pieces), text(counters, blocks, pieces).stream());
        return ExitStatus.DONE.code();
    }

    private Table pieces(LiveBlocks blocks, int usual) {
        return ReportTables.live(blocks, rows.orElse(usual), new ReportText(Locale.getDefault()));
    }

    /** The pools as the window's bars show them. */
    private static byte[] pools(MemoryCounters counters) {
        return BarsImage.png(
                List.of(CliText.text("compare.allocated"), CliText.text("snapshot.gap")),
                counters.pools().stream()
                        .filter(pool -> pool.reservedBytes() > 0)
                        .map(pool -> new BarsImage.Bar(
                                pool.pool(),
                                List.of(pool.allocatedBytes(), pool.reservedBytes() - pool.allocatedBytes())))
                        .toList());
    }

    private static void write(JsonGenerator json, MemoryCounters counters, LiveBlocks blocks, Table pieces)
            throws IOException {
        json.writeNumberField("device", counters.device());
        json.writeArrayFieldStart("pools");
        for (PoolUsage pool : counters.pools()) {
            json.writeStartObject();
            json.writeStringField("pool", pool.pool());
            json.writeNumberField("reserved_bytes", pool.reservedBytes());
            json.writeNumberField("allocated_bytes", pool.allocatedBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        LiveBlocks.Coverage coverage = blocks.coverage();
        json.writeNumberField("segments", blocks.segments().size());
        json.writeNumberField("blocks", coverage.blocks());
        json.writeNumberField("known_bytes", coverage.knownBytes());
        json.writeNumberField("unknown_bytes", coverage.unknownBytes());
        json.writeBooleanField("partial", coverage.partial());
        json.writeNumberField("lost_events", coverage.lostEvents());
        TableOutput.rows(json, pieces);
    }

    private static List<String> text(MemoryCounters counters, LiveBlocks blocks, Table pieces) {
        TextTable pools = TextTable.ofFigures();
        pools.add(List.of(
                CliText.text("blocks.pool"), CliText.text("compare.reserved"), CliText.text("compare.allocated")));
        for (PoolUsage pool : counters.pools()) {
            if (pool.reservedBytes() > 0) {
                pools.add(List.of(
                        pool.pool(), ByteSize.format(pool.reservedBytes()), ByteSize.format(pool.allocatedBytes())));
            }
        }
        LiveBlocks.Coverage coverage = blocks.coverage();
        List<String> lines = new ArrayList<>();
        lines.add(pools.text());
        lines.add("");
        lines.add(CliText.text(
                "blocks.summary", blocks.segments().size(), coverage.blocks(), ByteSize.format(coverage.knownBytes())));
        if (coverage.partial()) {
            lines.add(CliText.text("blocks.partial", ByteSize.format(coverage.unknownBytes())));
        }
        if (!pieces.rows().isEmpty()) {
            lines.add("");
            lines.add(TableText.plain(pieces).stripTrailing());
        }
        return lines;
    }
}
