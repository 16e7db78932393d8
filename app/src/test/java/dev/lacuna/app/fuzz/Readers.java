package dev.lacuna.app.fuzz;

import dev.lacuna.app.settings.SettingsFile;
import dev.lacuna.app.window.DroppedFilesReading;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.control.ControlLineReading;
import dev.lacuna.bridge.wire.TelemetryFile;
import dev.lacuna.core.allocator.packing.LifetimesReader;
import dev.lacuna.core.allocator.settings.AllocConf;
import dev.lacuna.core.allocator.settings.AllocConfException;
import dev.lacuna.core.allocator.settings.ConfDialect;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.mindformers.InexpressibleGridException;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.LayerGridWriter;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.history.attribution.BlockQuery;
import dev.lacuna.core.planning.swap.kernel.KernelTraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Everything of Lacuna's that reads what others wrote; a further reader is one line here. */
final class Readers {
    /** How the names of those begin that break on purpose, to test what finds them. */
    static final String BROKEN = "broken ";

    private Readers() {}

    /** @param folder where inputs may be put into files */
    static List<Reader> all(Path folder) {
        List<byte[]> traces = Seeds.of("trace");
        List<byte[]> recordings = with(with(traces, Seeds.gzip(traces.get(0))), Seeds.telemetry());
        List<byte[]> snapshots = with(Seeds.of("pickle"), recordings);
        List<byte[]> plans = with(Seeds.of("plan", "trace-with-steps"), Seeds.of("script", "model"));
        List<Reader> readers = new ArrayList<>(List.of(
                command(
                        folder,
                        "diagnose",
                        with(Seeds.of("log"), Seeds.gzip(Seeds.of("log").get(0))),
                        "diagnose",
                        "--json",
                        "FILE"),
                command(folder, "diagnose as text", Seeds.of("log"), "diagnose", "FILE"),
                command(folder, "snapshot", snapshots, "snapshot", "--json", "FILE"),
                command(folder, "snapshot as text", snapshots, "snapshot", "FILE"),
                command(folder, "snapshot events", snapshots, "snapshot", "--json", "--events", "1..3", "FILE"),
                command(folder, "snapshot compared", snapshots, "snapshot", "--json", "--compare", "FILE", "FILE"),
                command(
                        folder,
                        "snapshot report",
                        snapshots,
                        "snapshot",
                        "--report",
                        folder.resolve("report.html").toString(),
                        "--redact",
                        "FILE"),
                command(
                        folder,
                        "replay",
                        snapshots,
                        "replay",
                        "--json",
                        "--policy",
                        "caching,expandable,lifetime,segregated",
                        "FILE"),
                command(
                        folder,
                        "replay placements",
                        snapshots,
                        "replay",
                        "--policy",
                        "segregated",
                        "--placements",
                        "FILE"),
                command(folder, "mindformers", Seeds.of("mindformers"), "mindformers", "--json", "FILE"),
                command(folder, "mindformers as text", Seeds.of("mindformers"), "mindformers", "FILE"),
                command(folder, "estimate", Seeds.of("script", "model"), "estimate", "--json", "FILE"),
                command(folder, "estimate as text", Seeds.of("script", "model"), "estimate", "--terms", "FILE"),
                command(
                        folder,
                        "estimate trace",
                        with(Seeds.of("pickle"), traces),
                        "estimate",
                        "--json",
                        "--trace",
                        "FILE"),
                command(folder, "estimate graph", Seeds.of("graph"), "estimate", "--json", "--graph", "FILE"),
                command(
                        folder,
                        "plan",
                        with(plans, Seeds.of("graph")),
                        "plan",
                        "--json",
                        "--check",
                        "--method",
                        "store-all",
                        "--budget",
                        "1GiB",
                        "FILE"),
                command(
                        folder,
                        "plan as megatron",
                        Seeds.of("script"),
                        "plan",
                        "--method",
                        "full",
                        "--budget",
                        "4000000TiB",
                        "--output",
                        "megatron",
                        "FILE"),
                command(
                        folder,
                        "plan as mindformers",
                        Seeds.of("mindformers-whole"),
                        "plan",
                        "--method",
                        "full",
                        "--budget",
                        "4000000TiB",
                        "--output",
                        "mindformers",
                        "FILE")));
        readers.addAll(parts(folder));
        readers.addAll(BrokenReaders.all());
        return readers;
    }

    /** What the window and the bridge read, and parts that commands hide. */
    private static List<Reader> parts(Path folder) {
        Path file = folder.resolve("part");
        return List.of(
                part("configuration", Seeds.of("mindformers", "model"), Readers::configuration),
                part("layer grid", Seeds.of("mindformers"), Readers::grid),
                part("allocator settings", Seeds.of("conf"), Readers::allocatorSettings),
                part(
                        "block search",
                        lines("0x7f2a04c00200 stream:7 >=20MiB", "1MiB..20MiB linear", "20MiB stream=0x1f"),
                        input -> BlockQuery.parse(text(input)).words().isEmpty() ? "found" : "words"),
                part("sizes", lines("20MiB", "1.5GiB", "512"), Readers::size),
                part("control line", ControlLineReading.SEEDS, ControlLineReading::read),
                part("telemetry file", List.of(Seeds.telemetry()), input -> telemetry(written(file, input))),
                part(
                        "kernel trace",
                        Seeds.of("kernels"),
                        input -> "kernels "
                                + KernelTraceReader.read(written(file, input))
                                        .kernels()
                                        .isEmpty()),
                part(
                        "lifetimes",
                        Seeds.of("lifetimes"),
                        input -> "blocks " + LifetimesReader.read(text(input)).count()),
                part(
                        "dropped file",
                        with(
                                Seeds.of("pickle", "trace", "log"),
                                Seeds.gzip(Seeds.of("trace").get(0))),
                        input -> DroppedFilesReading.read(written(file, input))),
                part(
                        "kept settings",
                        Seeds.of("settings"),
                        input -> new SettingsFile(written(file, input))
                                .load()
                                .theme()
                                .name()));
    }

    /** What cannot be read leaves as an {@link IOException} that says why. */
    private static Reader part(String name, List<byte[]> seeds, Reader.Reading reading) {
        return new Reader(name, seeds, input -> {
            try {
                return reading.read(input);
            } catch (IOException e) {
                if (e.getMessage() == null) {
                    throw new AssertionError("refused without a word", e);
                }
                return Reader.refused(e);
            }
        });
    }

    private static Reader command(Path folder, String name, List<byte[]> seeds, String... words) {
        return new Reader(name, seeds, new CommandReading(folder, words));
    }

    private static String configuration(byte[] input) throws IOException {
        ConfigDocument document = ConfigReader.read(new ByteArrayInputStream(input));
        document.duplicateKeys();
        return document.value().getClass().getSimpleName();
    }

    /** What the grid of the window would write after one change is read again. */
    private static String grid(byte[] input) throws IOException {
        ConfigDocument document = ConfigReader.read(new ByteArrayInputStream(input));
        if (!(new Mindformers(Map.of()).analyse(document) instanceof MindformersResult.Valid valid)) {
            return "invalid";
        }
        LayerGridWriter writer = new LayerGridWriter(document, Map.of());
        LayerGrid grid = LayerGrid.of(valid);
        int layer = Math.min(1, grid.rows().size() - 1);
        List<LayerGrid> wanted = List.of(
                grid.full(layer, true),
                grid.select(layer, LayerGrid.operators().get(0), true),
                grid.swapOn(true).swap(layer, LayerGrid.operators().get(0), Optional.of("1")));
        StringBuilder outcome = new StringBuilder("written");
        for (LayerGrid each : wanted) {
            try {
                outcome.append(writer.write(each).text().isEmpty() ? " empty" : " text");
            } catch (InexpressibleGridException e) {
                outcome.append(" cannot");
            }
        }
        return outcome.toString();
    }

    private static String allocatorSettings(byte[] input) {
        StringBuilder outcome = new StringBuilder();
        for (ConfDialect dialect : ConfDialect.values()) {
            try {
                outcome.append(AllocConf.parse(text(input), dialect).others().size())
                        .append(' ');
            } catch (AllocConfException e) {
                outcome.append("refused ");
            }
        }
        return outcome.toString();
    }

    private static String size(byte[] input) {
        try {
            return "size " + Long.numberOfLeadingZeros(ByteSize.parse(text(input)));
        } catch (IllegalArgumentException e) {
            return Reader.refused(e);
        }
    }

    private static String telemetry(Path file) throws IOException {
        int uid = (int) Files.getAttribute(file, "unix:uid");
        try (TelemetryFile telemetry = TelemetryFile.open(file, uid)) {
            telemetry.glimpse();
            TelemetryFile.glimpse(file, uid);
            return telemetry.counters().size() + " devices "
                    + telemetry.cursor().next().size();
        } catch (BridgeException e) {
            if (e.reason() != BridgeException.Reason.UNREADABLE) {
                throw new AssertionError(e);
            }
            return Reader.refused(e);
        }
    }

    private static Path written(Path file, byte[] input) throws IOException {
        return Files.write(file, input);
    }

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }

    private static List<byte[]> lines(String... lines) {
        return Stream.of(lines)
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static List<byte[]> with(List<byte[]> some, byte[] more) {
        return with(some, List.of(more));
    }

    private static List<byte[]> with(List<byte[]> some, List<byte[]> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
