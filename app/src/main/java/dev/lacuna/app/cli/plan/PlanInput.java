package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.ModelNames;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.files.FileFormats;
import dev.lacuna.app.files.ModelGraph;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.planning.method.ConfiguredModel;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.kernel.SwapMachine;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads whatever can be planned for, told apart by content. */
final class PlanInput {
    private static final String STANDARD_INPUT = "-";

    private final Arguments overriding;
    private final PlanSpeeds speeds;
    private final OptionalInt stage;
    private final DeviceArgument device;
    private final GraphExport export;

    /**
     * @param overriding arguments that hold instead of a configuration's
     * @param speeds of a device, for configurations
     * @param stage the pipeline stage to plan; without it the one that needs most
     * @param device which device of a running process
     * @param export who writes the graphs of models
     */
    PlanInput(Arguments overriding, PlanSpeeds speeds, OptionalInt stage, DeviceArgument device, GraphExport export) {
        this.overriding = overriding;
        this.speeds = speeds;
        this.stage = stage;
        this.device = device;
        this.export = export;
    }

    /** What this name stands for: a published model, a process, a file, or standard input. */
    PlanGround read(String name) throws IOException, RefusedException, BridgeException {
        Optional<Arguments> preset = Presets.of(name);
        if (preset.isPresent()) {
            return configured(EstimateInput.of(preset.get()), preset, Optional.empty(), Optional.empty());
        }
        if (name.equals(STANDARD_INPUT)) {
            return ground(System.in);
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
        Optional<ModelGraph> model = ModelGraph.of(file);
        try (InputStream in = model.isPresent()
                ? new ByteArrayInputStream(export.of(file, model.get()))
                : Files.newInputStream(file)) {
            return ground(in);
        }
    }

    private PlanGround ground(InputStream in) throws IOException, RefusedException {
        PlanContent content = PlanContent.read(in, FileFormats.replayed());
        if (content instanceof PlanContent.Configured said) {
            return configured(
                    said.input(), Optional.of(said.arguments()), said.mindformers(), Optional.of(said.text()));
        }
        if (content instanceof PlanContent.Recorded recorded) {
            PlanningProfile.Chain chain = recorded.chain();
            return PlanGround.of(
                    chain,
                    CliText.text("plan.inferred", Integer.toString(chain.chain().length())));
        }
        PlanningProfile profile = ((PlanContent.Profile) content).profile();
        return profile instanceof PlanningProfile.Kernels kernels ? ofKernels(kernels) : PlanGround.of(profile);
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
        input.notes(overriding).stream()
                .filter(more -> !more.leadsToPlan())
                .forEach(more -> notes.add(more.text(Locale.getDefault())));
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
