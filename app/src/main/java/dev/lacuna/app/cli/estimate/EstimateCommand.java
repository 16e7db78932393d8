package dev.lacuna.app.cli.estimate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.app.cli.argument.ByteSizeConverter;
import dev.lacuna.app.cli.argument.ConfigInput;
import dev.lacuna.app.cli.argument.ModelNames;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.files.FileFormats;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.Calibration;
import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.EstimateJson;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.EstimateNote;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.core.planning.TraceEstimateJson;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.ui.places.planner.estimate.MemoryStack;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna estimate}: what a training configuration will need, before it runs. */
@Command(name = "estimate", mixinStandardHelpOptions = true)
public final class EstimateCommand implements Callable<Integer> {
    /** A configuration or a script is far smaller. */
    private static final int MOST_BYTES = 16 << 20;

    @Parameters(paramLabel = "FILE|PRESET [-- ARGUMENTS]", arity = "0..*", descriptionKey = "input")
    private List<String> given = List.of();

    @Option(names = "--trace", paramLabel = "TRACE")
    private Optional<String> trace = Optional.empty();

    @Option(names = "--graph", paramLabel = "GRAPH")
    private Optional<String> graph = Optional.empty();

    @Option(names = "--framework", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private long frameworkBytes;

    @Option(names = "--context", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private long contextBytes;

    @Option(names = "--capacity", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private Optional<Long> capacity = Optional.empty();

    @Mixin
    private CalibrationOptions calibration = new CalibrationOptions();

    @Mixin
    private ChartFiles files = new ChartFiles();

    @Option(names = "--terms")
    private boolean terms;

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, BridgeException {
        if (trace.isEmpty() && graph.isEmpty() && given.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), CliText.text("estimate.nothing", String.join(", ", Presets.names())));
        }
        if (frameworkBytes < 0
                || contextBytes < 0
                || capacity.filter(c -> c <= 0).isPresent()) {
            throw new ParameterException(spec.commandLine(), CliText.text("estimate.sizes"));
        }
        calibration.fault(trace.or(() -> graph).isPresent()).ifPresent(fault -> {
            throw new ParameterException(spec.commandLine(), fault);
        });
        try {
            JsonLine.print(System.out, answer());
            return ExitStatus.DONE.code();
        } catch (RefusedException e) {
            throw refused(e.getLocalizedMessage());
        } catch (IOException e) {
            throw refused(ConfigInput.reason(e));
        }
    }

    /** Also on stdout where a document was asked for. */
    private CommandFailure refused(String why) {
        if (json) {
            String source = trace.or(() -> graph).orElseGet(() -> given.get(0));
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeStringField("source", source);
                out.writeStringField("error", why);
                out.writeEndObject();
            }));
        }
        return new CommandFailure(ExitStatus.INPUT, why);
    }

    private String answer() throws IOException, RefusedException, BridgeException {
        if (trace.isPresent()) {
            return ofTrace(trace.get());
        }
        return graph.isPresent() ? ofGraph(graph.get()) : ofConfiguration();
    }

    private String ofConfiguration() throws IOException, RefusedException, BridgeException {
        boolean named = !given.get(0).startsWith("--");
        Arguments overriding = Arguments.parse(String.join(" ", named ? given.subList(1, given.size()) : given));
        EstimateInput input = named ? input(given.get(0)) : EstimateInput.of(new Arguments(java.util.Map.of()));
        Estimate estimate = new Estimator(input.configuration(overriding)).estimate();
        List<EstimateNote> notes = input.notes(overriding);
        OptionalLong most = capacity.map(OptionalLong::of).orElse(OptionalLong.empty());
        Optional<Calibration> held = calibration.of(input, overriding, estimate);
        EstimateReport.save(files, MemoryStack.of(estimate));
        if (json) {
            ObjectNode document = EstimateJson.of(estimate, most, notes, Locale.getDefault());
            held.ifPresent(c -> document.set("calibration", EstimateJson.of(c, estimate, Locale.getDefault())));
            return document.toString();
        }
        String report = new EstimateReport(Locale.getDefault(), terms).of(estimate, most, notes);
        return held.map(c -> report + "\n\n" + CalibrationText.of(c, estimate)).orElse(report);
    }

    private static EstimateInput input(String name) throws IOException, RefusedException {
        Optional<EstimateInput> preset = EstimateInput.ofPreset(name);
        if (preset.isPresent()) {
            return preset.get();
        }
        ModelNames.require(name);
        try (InputStream in = opened(name)) {
            return EstimateInput.read(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        }
    }

    private String ofTrace(String name) throws IOException {
        try (InputStream in = opened(name)) {
            return reported(
                    TraceEstimate.of(TraceReaders.read(in, FileFormats.replayed()), frameworkBytes, contextBytes));
        }
    }

    private String ofGraph(String name) throws IOException {
        try (InputStream in = opened(name)) {
            return reported(TraceEstimate.of(
                    GraphProfileReader.read(in, GraphProfileReader.Workspaces.COUNTED), frameworkBytes, contextBytes));
        }
    }

    private String reported(TraceEstimate estimate) {
        EstimateReport.save(files, MemoryStack.of(estimate));
        return json
                ? TraceEstimateJson.of(estimate, Locale.getDefault()).toString()
                : new EstimateReport(Locale.getDefault(), terms).of(estimate);
    }

    private static InputStream opened(String name) throws IOException {
        return name.equals("-") ? System.in : Files.newInputStream(Path.of(name));
    }
}
