package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.ModelNames;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.recording.BlackBoxTraceReader;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.MindformersConfiguration;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.planning.ProfileReader;
import dev.lacuna.core.planning.TraceChain;
import dev.lacuna.core.planning.method.ConfiguredModel;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.online.program.DtrLogReader;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.kernel.SwapMachine;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import dev.lacuna.core.replay.snapshot.ContinuedSnapshotReader;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;

/** Reads whatever can be planned for, told apart by content. */
final class PlanInput {
    private static final String STANDARD_INPUT = "-";
    /** Profiles and configurations are far smaller; larger files are logs and traces. */
    private static final int MOST_BYTES = 64 << 20;
    /** The first line of a log of operator calls. */
    private static final int FIRST_LINE = 4096;

    private static final List<TraceReader> READERS = List.of(new BlackBoxTraceReader(), new ContinuedSnapshotReader());

    private final Arguments overriding;
    private final PlanSpeeds speeds;
    private final OptionalInt stage;
    private final DeviceArgument device;

    /**
     * @param overriding arguments that hold instead of a configuration's
     * @param speeds of a device, for configurations
     * @param stage the pipeline stage to plan; without it the one that needs most
     * @param device which device of a running process
     */
    PlanInput(Arguments overriding, PlanSpeeds speeds, OptionalInt stage, DeviceArgument device) {
        this.overriding = overriding;
        this.speeds = speeds;
        this.stage = stage;
        this.device = device;
    }

    /** What this name stands for: a published model, a process, a file, or standard input. */
    PlanGround read(String name) throws IOException, RefusedException, BridgeException {
        Optional<Arguments> preset = Presets.of(name);
        if (preset.isPresent()) {
            return configured(EstimateInput.of(preset.get()), preset, Optional.empty(), Optional.empty());
        }
        if (name.equals(STANDARD_INPUT)) {
            return ofContent(System.in.readNBytes(MOST_BYTES));
        }
        OptionalLong pid = processId(name);
        if (pid.isPresent()) {
            LayerProfile measured = new PlanLive(pid.getAsLong(), device).profile();
            return PlanGround.of(
                    PlanningProfile.Layers.live(measured),
                    CliText.text(
                            "plan.live",
                            ByteSize.format(measured.limitBytes()),
                            ByteSize.format(LimitSpare.ofProcess(measured).of(measured.limitBytes()))));
        }
        ModelNames.require(name);
        Path file = path(name);
        if (isOperatorLog(file)) {
            return PlanGround.of(new PlanningProfile.Program(DtrLogReader.read(file)));
        }
        if (Files.size(file) > MOST_BYTES) {
            return ofTrace(Files.newInputStream(file));
        }
        return ofContent(Files.readAllBytes(file));
    }

    /** A number that is no file. */
    static OptionalLong processId(String name) {
        return name.matches("[1-9]\\d{0,9}") && !Files.exists(Path.of(name))
                ? OptionalLong.of(Long.parseLong(name))
                : OptionalLong.empty();
    }

    private static Path path(String name) throws IOException {
        Path file;
        try {
            file = Path.of(name);
        } catch (InvalidPathException e) {
            throw new IOException(CliText.text("diagnose.name"), e);
        }
        if (Files.isDirectory(file)) {
            throw new IOException(CliText.text("mindformers.directory"));
        }
        return file;
    }

    private static boolean isOperatorLog(Path file) throws IOException {
        byte[] begin;
        try (InputStream in = Files.newInputStream(file)) {
            begin = in.readNBytes(FIRST_LINE);
        }
        boolean packed = begin.length > 2 && (begin[0] & 0xff) == 0x1f && (begin[1] & 0xff) == 0x8b;
        try (InputStream in =
                        packed ? new GZIPInputStream(Files.newInputStream(file)) : new ByteArrayInputStream(begin);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            char[] first = new char[FIRST_LINE];
            int count = reader.read(first);
            String text = count < 0 ? "" : new String(first, 0, count);
            return text.stripLeading().startsWith("{")
                    && text.lines().findFirst().orElse("").contains("\"INSTRUCTION\"");
        }
    }

    private PlanGround ofContent(byte[] content) throws IOException, RefusedException {
        Optional<PlanningProfile> profile = ProfileReader.read(content);
        if (profile.isPresent() && profile.get() instanceof PlanningProfile.Kernels kernels) {
            return ofKernels(kernels);
        }
        if (profile.isPresent()) {
            return PlanGround.of(profile.get());
        }
        if (!isText(content)) {
            return ofTrace(new ByteArrayInputStream(content));
        }
        String text = new String(content, StandardCharsets.UTF_8);
        RefusedException refused;
        try {
            EstimateInput input = EstimateInput.read(text);
            Optional<ConfigDocument> mindformers = mindformers(text);
            Arguments arguments = mindformers.map(MindformersConfiguration::of).orElseGet(() -> Arguments.parse(text));
            return configured(input, Optional.of(arguments), mindformers, Optional.of(text));
        } catch (RefusedException e) {
            refused = e;
        } catch (IOException e) {
            return ofTrace(new ByteArrayInputStream(content));
        }
        if (looksLikeTrace(text)) {
            return ofTrace(new ByteArrayInputStream(content));
        }
        throw refused;
    }

    /** A trace tells no machine; the link is that of the traces' own paper where none is named. */
    private PlanGround ofKernels(PlanningProfile.Kernels kernels) {
        SwapMachine machine = speeds.statedLink()
                .filter(link -> link > 0)
                .map(link -> kernels.machine().withLink(link))
                .orElse(kernels.machine());
        return PlanGround.of(
                new PlanningProfile.Kernels(kernels.trace(), machine),
                CliText.text(
                        "plan.kernels",
                        Integer.toString(kernels.trace().kernels().size()),
                        String.format(Locale.ROOT, "%.1f", machine.linkBytesPerSecond() / 1e9),
                        ByteSize.format(machine.hostBytes())));
    }

    private static Optional<ConfigDocument> mindformers(String text) {
        try {
            return Optional.of(ConfigReader.read(text)).filter(MindformersConfiguration::recognises);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A trace in CSV, or trace text. */
    private static boolean looksLikeTrace(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .filter(line ->
                        line.startsWith("ts_ns,") || line.matches("(total|alloc|phase|fraction|other|free)\\s.*"))
                .isPresent();
    }

    private static boolean isText(byte[] content) {
        for (int i = 0; i < Math.min(content.length, FIRST_LINE); i++) {
            if (content[i] == 0 || (content[i] & 0xff) == 0x80 && i == 0) {
                return false;
            }
        }
        return !(content.length > 2 && (content[0] & 0xff) == 0x1f && (content[1] & 0xff) == 0x8b);
    }

    private static PlanGround ofTrace(InputStream in) throws IOException {
        try (in) {
            PlanningProfile.Chain chain = TraceChain.of(TraceReaders.read(in, READERS));
            return PlanGround.of(
                    chain,
                    CliText.text("plan.inferred", Integer.toString(chain.chain().length())));
        }
    }

    private PlanGround configured(
            EstimateInput input,
            Optional<Arguments> arguments,
            Optional<ConfigDocument> mindformers,
            Optional<String> text)
            throws RefusedException {
        Configuration configuration = input.configuration(overriding);
        ConfiguredModel model =
                new ConfiguredModel(configuration, speeds.flopsPerSecond(), speeds.linkBytesPerSecond());
        int chosen = stage.orElse(model.bindingStage());
        if (chosen >= model.stages()) {
            throw new CommandFailure(
                    ExitStatus.USAGE,
                    CliText.text("plan.stage", Integer.toString(chosen), Integer.toString(model.stages() - 1)));
        }
        String note = CliText.text(
                "plan.configured",
                Integer.toString(chosen),
                Integer.toString(model.stages() - 1),
                String.format(Locale.ROOT, "%.1f", speeds.flopsPerSecond() / 1e12));
        List<String> notes = new ArrayList<>();
        notes.add(note);
        notes.add(
                speeds.linkBytesPerSecond() > 0
                        ? CliText.text(
                                "plan.estimated.copies",
                                String.format(Locale.ROOT, "%.1f", speeds.linkBytesPerSecond() / 1e9))
                        : CliText.text("plan.no.copies"));
        input.notes(overriding).forEach(more -> notes.add(more.text(Locale.getDefault())));
        return new PlanGround(
                model.profile(chosen),
                Optional.of(model),
                chosen,
                arguments.map(given -> given.with(overriding)),
                mindformers,
                text,
                notes);
    }
}
