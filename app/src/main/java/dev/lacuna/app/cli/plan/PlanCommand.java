package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.argument.ByteSizeConverter;
import dev.lacuna.app.cli.argument.CardConverter;
import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.InputFaults;
import dev.lacuna.app.cli.argument.LinkConverter;
import dev.lacuna.app.cli.argument.SpeedConverter;
import dev.lacuna.app.cli.argument.TimeLimitConverter;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.ReplayProgress;
import dev.lacuna.app.cli.output.TableOutput;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.MindformersConfiguration;
import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.PlanningTerms;
import dev.lacuna.core.planning.method.DeviceCard;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PredictedGain;
import dev.lacuna.core.planning.swap.conflict.LacunaFeature;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.core.planning.swap.conflict.SwapConflicts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna plan}: what to recompute and swap, by every method, under every budget, in the words of who runs it. */
@Command(name = "plan", mixinStandardHelpOptions = true, sortOptions = false, abbreviateSynopsis = true)
public final class PlanCommand implements Callable<Integer> {
    private static final int USUAL_POINTS = 8;
    private static final int MOST_POINTS = 200;

    @Parameters(paramLabel = "INPUT [-- ARGUMENTS]", arity = "1..*", hideParamSyntax = true, descriptionKey = "input")
    private List<String> given = List.of();

    @Option(names = "--budget", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private List<Long> budgets = List.of();

    @Option(names = "--pareto", paramLabel = "N")
    private Optional<Integer> points = Optional.empty();

    @Option(names = "--method", paramLabel = "NAME[,NAME…]", split = ",", hideParamSyntax = true)
    private List<String> names = List.of("all");

    @Option(names = "--effort", paramLabel = "quick|usual|thorough")
    private PlanningEffort effort = PlanningEffort.USUAL;

    @Option(names = "--time-limit", paramLabel = "TIME", converter = TimeLimitConverter.class, descriptionKey = "limit")
    private Optional<Duration> limit = Optional.empty();

    @Option(names = "--flops", paramLabel = "RATE", converter = SpeedConverter.class)
    private Optional<Double> flopsPerSecond = Optional.empty();

    @Option(names = "--link", paramLabel = "RATE|none", converter = LinkConverter.class)
    private Optional<Long> linkBytesPerSecond = Optional.empty();

    @Option(names = "--card", paramLabel = "NAME", converter = CardConverter.class)
    private Optional<DeviceCard> card = Optional.empty();

    @Option(names = "--stage", paramLabel = "N")
    private Optional<Integer> stage = Optional.empty();

    @Option(names = "--input", paramLabel = "SHAPE", descriptionKey = "shape")
    private List<String> shapes = List.of();

    @Option(names = "--python", paramLabel = "PYTHON")
    private String python = GraphExport.USUAL;

    @Option(names = "--output", paramLabel = "torch|mindformers|megatron|policy", descriptionKey = "words")
    private Optional<PlanWriter.Output> output = Optional.empty();

    @Option(names = "-o", paramLabel = "FILE", descriptionKey = "file")
    private Optional<String> file = Optional.empty();

    @Option(names = "--overwrite")
    private boolean overwrite;

    @Option(names = "--config", paramLabel = "FILE")
    private Optional<String> config = Optional.empty();

    @Option(names = "--modules", paramLabel = "PATTERN")
    private Optional<String> modules = Optional.empty();

    @Option(names = "--apply")
    private boolean apply;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument device = DeviceArgument.USUAL;

    @Option(names = "--check")
    private boolean check;

    @Mixin
    private ChartFiles files = new ChartFiles();

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException {
        Optional<Path> table = PlacementPlan.table(given.get(0));
        if (table.isPresent()) {
            return placed(table.get());
        }
        checkOptions();
        try (PlanProgress progress = new PlanProgress(
                                System.err, ReplayProgress.isTerminal(), System::nanoTime, limit().toSeconds())
                        .begin();
                PlanEnding ending = new PlanEnding(progress::close).begin()) {
            PlanResult result = plan(progress, ending);
            ending.write();
            files.write(() -> PlanReport.points(result.curve()), () -> CurveImage.png(result.curve()));
            JsonLine.print(System.out, json ? PlanJson.of(result) : report(result));
            return ExitStatus.DONE.code();
        } catch (RefusedException e) {
            throw refused(e.getLocalizedMessage());
        } catch (IOException e) {
            throw refused(InputFaults.explanation(e));
        }
    }

    private String report(PlanResult result) {
        boolean running = PlanInput.processId(given.get(0)).isPresent();
        return new PlanReport(Locale.getDefault()).of(result, new PlanAdvice(result, budgets.size() == 1, running));
    }

    /** Blocks whose lifetimes are known have places to be planned, and nothing to be recomputed or swapped. */
    private int placed(Path table) {
        if (budgets.size() > 1
                || points.isPresent()
                || output.isPresent()
                || config.isPresent()
                || apply
                || check
                || files.isAsked()) {
            throw usage("plan.table");
        }
        try {
            PlacementPlan plan =
                    PlacementPlan.of(table, budgets.isEmpty() ? OptionalLong.empty() : OptionalLong.of(budgets.get(0)));
            if (file.isPresent()) {
                save(plan.placed());
            }
            JsonLine.print(System.out, json ? plan.json(file) : plan.report(file));
            return ExitStatus.DONE.code();
        } catch (IOException e) {
            throw refused(InputFaults.explanation(e));
        }
    }

    /** Also on stdout where a document was asked for. */
    private CommandFailure refused(String why) {
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeStringField("source", given.get(0));
                out.writeStringField("error", why);
                out.writeEndObject();
            }));
        }
        return new CommandFailure(ExitStatus.INPUT, CliText.text("mindformers.unreadable", given.get(0), why));
    }

    private void checkOptions() {
        if (points.filter(n -> n < 1 || n > MOST_POINTS).isPresent()) {
            throw usage("plan.points", Integer.toString(MOST_POINTS));
        }
        if (budgets.stream().anyMatch(budget -> budget <= 0)) {
            throw usage("plan.budget");
        }
        if (stage.filter(n -> n < 0).isPresent()) {
            throw usage("plan.stage.negative");
        }
        if (!shapes.stream().allMatch(shape -> shape.matches("[1-9]\\d*(,[1-9]\\d*)*"))) {
            throw usage("plan.shape");
        }
        if (output.isPresent() && budgets.size() != 1) {
            throw usage("plan.one.budget");
        }
        if (apply && (budgets.size() != 1 || PlanInput.processId(given.get(0)).isEmpty())) {
            throw usage("plan.apply");
        }
        if (output.isEmpty() && (file.isPresent() || config.isPresent() && !check)) {
            throw usage("plan.no.output");
        }
    }

    private ParameterException usage(String key, String... arguments) {
        return new ParameterException(spec.commandLine(), CliText.text(key, (Object[]) arguments));
    }

    private Duration limit() {
        return limit.orElse(effort.limit());
    }

    private PlanResult plan(PlanProgress progress, PlanEnding ending)
            throws IOException, RefusedException, BridgeException {
        List<PlanningMethod> asked = methods();
        PlanGround ground = ground();
        Map<PlanningMethod, PlanFailure.Reason> unsuited = new LinkedHashMap<>();
        asked.forEach(method -> method.unsuited(ground.profile()).ifPresent(why -> unsuited.put(method, why)));
        List<PlanningMethod> suited =
                asked.stream().filter(method -> !unsuited.containsKey(method)).toList();
        List<Long> tried = new ArrayList<>(budgets);
        if (points.isPresent() || budgets.isEmpty()) {
            tried.addAll(ParetoCurve.budgets(ground.profile(), points.orElse(USUAL_POINTS)));
        }
        PlanningTerms terms = PlanningTerms.of(effort, ending::reported).within(limit());
        ParetoCurve curve = ParetoCurve.of(ground.profile(), suited, tried, terms, point -> {}, progress::at);
        ending.await();
        Optional<String> edited = config.isPresent() ? Optional.of(text(config.get())) : Optional.empty();
        PlanResult result = new PlanResult(
                ground,
                curve,
                limit(),
                unsuited,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                check ? Optional.of(conflicts(ground, edited)) : Optional.empty(),
                gains(ground));
        if (output.isPresent() || apply) {
            return written(result, edited, terms, ending);
        }
        progress.close();
        return result;
    }

    private Map<Long, PredictedGain> gains(PlanGround ground) {
        Map<Long, PredictedGain> gains = new LinkedHashMap<>();
        if (card.isPresent() && ground.model().isPresent()) {
            for (long budget : budgets) {
                PredictedGain.of(ground.model().get(), ground.stage(), budget, card.get())
                        .ifPresent(gain -> gains.put(budget, gain));
            }
        }
        return gains;
    }

    private PlanGround ground() throws IOException, RefusedException, BridgeException {
        Arguments overriding = Arguments.parse(String.join(" ", given.subList(1, given.size())));
        OptionalInt which = stage.map(OptionalInt::of).orElse(OptionalInt.empty());
        PlanSpeeds speeds = new PlanSpeeds(flopsPerSecond, linkBytesPerSecond, card);
        return new PlanInput(overriding, speeds, which, device, new GraphExport(python, shapes)).read(given.get(0));
    }

    private List<PlanningMethod> methods() {
        if (names.contains("all")) {
            return PlanningMethods.all();
        }
        List<PlanningMethod> asked = new ArrayList<>();
        for (String name : names) {
            asked.add(PlanningMethods.of(name)
                    .orElseThrow(() -> usage("plan.method", name, String.join(", ", PlanningMethods.ids()))));
        }
        return asked;
    }

    private static String text(String name) throws IOException {
        try {
            return Files.readString(Path.of(name));
        } catch (InvalidPathException e) {
            throw new IOException(CliText.text("diagnose.name"), e);
        }
    }

    /** The fastest plan that can be said in the words that were asked for, and of equally fast ones the leanest. */
    private PlanResult written(PlanResult result, Optional<String> edited, PlanningTerms terms, PlanEnding ending)
            throws RefusedException, IOException, BridgeException {
        PlanWriter writer = new PlanWriter(result.ground(), edited, modules, terms);
        List<PlanPoint.Planned> fastestFirst = result.curve().planned().stream()
                .filter(point -> point.budgetBytes() == budgets.get(0))
                .sorted(Comparator.comparingDouble(PlanPoint.Planned::overhead)
                        .thenComparingLong(PlanPoint.Planned::peakBytes))
                .toList();
        if (fastestFirst.isEmpty()) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("plan.nothing.fits"));
        }
        Optional<RefusedException> first = Optional.empty();
        for (PlanPoint.Planned point : fastestFirst) {
            try {
                PlanWriter.Written written = writer.write(point, output.orElse(PlanWriter.Output.POLICY));
                ending.write();
                if (apply) {
                    new PlanLive(PlanInput.processId(given.get(0)).orElseThrow(), device).apply(writer.policy(point));
                }
                return reported(result, point, written);
            } catch (RefusedException e) {
                first = first.or(() -> Optional.of(e));
            }
        }
        throw first.orElseThrow();
    }

    private PlanResult reported(PlanResult result, PlanPoint.Planned point, PlanWriter.Written written)
            throws IOException {
        if (file.isPresent()) {
            save(written.text());
        }
        return new PlanResult(
                result.ground(),
                result.curve(),
                result.limit(),
                result.unsuited(),
                Optional.of(point),
                file.isPresent() ? Optional.empty() : Optional.of(written.text()),
                file,
                apply
                        ? Stream.concat(written.notes().stream(), Stream.of(CliText.text("plan.applied")))
                                .toList()
                        : written.notes(),
                result.conflicts(),
                result.gains());
    }

    private void save(String text) throws IOException {
        Path path;
        try {
            path = Path.of(file.orElseThrow());
        } catch (InvalidPathException e) {
            throw new IOException(CliText.text("diagnose.name"), e);
        }
        if (Files.exists(path) && !overwrite) {
            throw new CommandFailure(ExitStatus.USAGE, CliText.text("plan.exists", path.toString()));
        }
        TableOutput.save(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<SwapConflict> conflicts(PlanGround ground, Optional<String> edited) throws IOException {
        Set<LacunaFeature> ours = EnumSet.of(LacunaFeature.LAYER_POLICY);
        if (edited.isPresent()) {
            Arguments arguments = Arguments.parse(edited.get());
            if (arguments.values().isEmpty()) {
                ConfigDocument document = ConfigReader.read(edited.get());
                if (MindformersConfiguration.recognises(document)) {
                    return SwapConflicts.of(document, System.getenv(), ours);
                }
            }
            return SwapConflicts.of(arguments, ours);
        }
        if (ground.mindformers().isPresent()) {
            return SwapConflicts.of(ground.mindformers().get(), System.getenv(), ours);
        }
        return ground.arguments().map(given -> SwapConflicts.of(given, ours)).orElse(List.of());
    }
}
