package dev.lacuna.app.cli.replay;

import dev.lacuna.app.cli.argument.ByteSizeConverter;
import dev.lacuna.app.cli.argument.InputFaults;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CheckedOutput;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.PlacementLines;
import dev.lacuna.core.replay.PolicyComparison;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayListener;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.replay.ReplayTimeline;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna replay}: what would another allocator, or another device, have made of this training run. */
@Command(name = "replay", mixinStandardHelpOptions = true, sortOptions = false)
public final class ReplayCommand implements Callable<Integer> {
    /** Policies replayed at a time; a third thread reads. */
    private static final int THREADS = 2;

    @Parameters(paramLabel = "TRACE", arity = "1", descriptionKey = "trace")
    private String trace = "";

    @Option(names = "--policy", paramLabel = "NAME", split = ",", splitSynopsisLabel = ",")
    private List<String> names = List.of();

    @Option(names = "--capacity", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private Long capacityBytes;

    @Option(names = "--fraction", paramLabel = "F")
    private Double fraction;

    @Option(names = "--scale", paramLabel = "K")
    private long scale = 1;

    @Option(names = "--device", paramLabel = "N")
    private Integer device;

    @Option(names = "--min-capacity", negatable = true)
    private Boolean minCapacity;

    @Option(names = "--placements")
    private boolean placements;

    @Mixin
    private ChartFiles files = new ChartFiles();

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        ReplaySettings settings = settings();
        List<AllocatorPolicy> policies = policies();
        if (placements && (json || files.isAsked() || Boolean.TRUE.equals(minCapacity) || policies.size() != 1)) {
            throw wrong(CliText.text("replay.placements"));
        }
        try (ReplayInput input = ReplayInput.of(trace, device == null ? OptionalInt.empty() : OptionalInt.of(device))) {
            if (placements) {
                place(input, policies.get(0), settings);
            } else {
                compare(input, policies, settings);
            }
            return ExitStatus.DONE.code();
        } catch (UncheckedIOException e) {
            return complain(e.getCause());
        } catch (IOException e) {
            return complain(e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("replay.memory", trace));
        }
    }

    private void compare(ReplayInput input, List<AllocatorPolicy> policies, ReplaySettings settings)
            throws IOException {
        TraceSource source = input.source(wants(input));
        Map<String, ReplayTimeline> curves = new LinkedHashMap<>();
        List<ReplayResult> results = new PolicyComparison(settings, THREADS)
                .run(
                        source,
                        policies.stream()
                                .map(policy -> new PolicyComparison.Entrant(policy, watched(policy, curves)))
                                .toList());
        List<Optional<CardNeed>> needs = needs(source, input, policies, settings, results);
        input.finished();
        List<PolicyOutcome> rows = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            rows.add(new PolicyOutcome(
                    results.get(i), needs.get(i), policies.get(i).needsForesight()));
        }
        files.write(() -> ReplayTable.curves(curves), () -> CurveImage.png(curves));
        if (json) {
            mentionCut(results.get(0));
            JsonLine.print(System.out, ReplayJson.of(rows));
        } else {
            JsonLine.print(System.out, new ReplayTable(trace, rows).text());
        }
    }

    /** Curves are only drawn for files that are asked for. */
    private ReplayListener watched(AllocatorPolicy policy, Map<String, ReplayTimeline> curves) {
        return files.isAsked()
                ? curves.computeIfAbsent(policy.name(), name -> new ReplayTimeline())
                : ReplayListener.NONE;
    }

    /** Whether the trace is to be read many times: whoever reads a table is told the smallest cards, unless that would take long. */
    private boolean wants(ReplayInput input) {
        return minCapacity == null ? !json && input.canReadAgain() : minCapacity;
    }

    private List<Optional<CardNeed>> needs(
            TraceSource source,
            ReplayInput input,
            List<AllocatorPolicy> policies,
            ReplaySettings settings,
            List<ReplayResult> results)
            throws IOException {
        boolean brief = results.get(0).events() <= ReplayInput.KEPT_ROWS;
        if (!wants(input) || (minCapacity == null && !brief)) {
            return policies.stream().map(policy -> Optional.<CardNeed>empty()).toList();
        }
        return new SmallestCapacities(source, settings, THREADS)
                .of(policies).stream().map(Optional::of).toList();
    }

    private static void place(ReplayInput input, AllocatorPolicy policy, ReplaySettings settings) throws IOException {
        TraceSource source = input.source(false);
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 16);
        ReplayResult result = new PlacementLines(source, settings).write(policy, new CheckedOutput(out));
        out.flush();
        input.finished();
        mentionCut(result);
    }

    /** Says beside figures and lines for programs that the trace ended early, or that rows of it make no sense. */
    private static void mentionCut(ReplayResult result) {
        if (result.truncated()) {
            System.err.println("lacuna: " + CliText.text("replay.truncated"));
        }
        if (result.odd().count() > 0) {
            System.err.println("lacuna: "
                    + CliText.text(
                            "replay.odd", result.odd().count(), result.odd().firstText()));
        }
    }

    private ReplaySettings settings() {
        if (capacityBytes != null && capacityBytes <= 0) {
            throw wrong(CliText.text("replay.capacity"));
        }
        if (fraction != null && !(fraction > 0 && fraction <= 1)) {
            throw wrong(CliText.text("set.fraction", String.valueOf(fraction)));
        }
        if (device != null && device < 0) {
            throw wrong(CliText.text("replay.device", String.valueOf(device)));
        }
        if (scale < 1) {
            throw wrong(CliText.text("replay.scale", String.valueOf(scale)));
        }
        return new ReplaySettings(
                capacityBytes == null ? OptionalLong.empty() : OptionalLong.of(capacityBytes),
                fraction == null ? OptionalDouble.empty() : OptionalDouble.of(fraction),
                scale);
    }

    /** Those that were named, each once; else all that decide as requests come. */
    private List<AllocatorPolicy> policies() {
        Set<String> asked = names.stream().map(String::strip).collect(Collectors.toCollection(LinkedHashSet::new));
        if (asked.isEmpty()) {
            return AllocatorPolicies.all().stream()
                    .filter(policy -> !policy.needsForesight())
                    .toList();
        }
        return asked.stream()
                .map(name -> AllocatorPolicies.named(name)
                        .orElseThrow(() -> wrong(CliText.text(
                                "replay.policy",
                                name,
                                AllocatorPolicies.all().stream()
                                        .map(AllocatorPolicy::name)
                                        .collect(Collectors.joining(", "))))))
                .toList();
    }

    private int complain(IOException fault) {
        String why = InputFaults.explanation(fault);
        if (json) {
            JsonLine.print(System.out, ReplayJson.error(trace, why));
        }
        System.err.println("lacuna: " + CliText.text("replay.unreadable", trace, why));
        return ExitStatus.INPUT.code();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
