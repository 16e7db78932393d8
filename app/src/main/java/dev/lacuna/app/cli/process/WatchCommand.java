package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.IntervalConverter;
import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.StepWindow;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna watch PID}: live counters, one line per device and sample. */
@Command(name = "watch", mixinStandardHelpOptions = true)
public final class WatchCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--count", paramLabel = "N")
    private long count;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "100ms", converter = IntervalConverter.class)
    private Duration interval;

    @Option(names = "--phases")
    private boolean withPhases;

    @Option(names = "--swap")
    private boolean withSwap;

    @Option(names = "--before-after")
    private boolean withSides;

    @Mixin
    private WatchFiles files = new WatchFiles();

    @Spec
    private CommandSpec spec;

    private final StepWindows windows = new StepWindows();
    private Optional<WatchedFigures> figures = Optional.empty();

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        if (count < 0) {
            throw new ParameterException(spec.commandLine(), CliText.text("watch.count", String.valueOf(count)));
        }
        if (withSwap && withSides) {
            throw new ParameterException(spec.commandLine(), CliText.text("watch.one"));
        }
        figures = figures();
        try (AttachedProcess process = Bridge.processes().attach(pid);
                PhaseWatch phases = new PhaseWatch(process);
                WatchFiles.Saving saving =
                        files.begin(figures.map(Watched.class::cast).orElseGet(MemoryWatch::new))) {
            SampleJson documents = new SampleJson(withPhases ? Optional.of(phases) : Optional.empty(), figures);
            if (!json) {
                System.out.println(
                        Style.out().heading(figures.map(WatchedFigures::header).orElse(WatchRow.HEADER)));
            }
            long seen = new SampleStream(process, interval).run(count, sample -> print(sample, documents, phases));
            if (count != 0 && seen < count) {
                files.saveAtTheEnd();
                throw new CommandFailure(
                        ExitStatus.PROCESS,
                        CliText.text(
                                "watch.ended",
                                String.valueOf(pid),
                                String.valueOf(seen),
                                String.valueOf(count),
                                how(process)));
            }
            if (count == 0) {
                System.err.println("lacuna: " + CliText.text("watch.over", String.valueOf(pid), how(process)));
            }
        }
        return ExitStatus.DONE.code();
    }

    /** What is told in place of memory. */
    private Optional<WatchedFigures> figures() {
        if (withSwap) {
            return Optional.of(new SwapWatch());
        }
        return withSides ? Optional.of(new BeforeAfterWatch()) : Optional.empty();
    }

    private static String how(AttachedProcess process) throws BridgeException {
        return process.ending().text(Locale.getDefault());
    }

    private void print(Sample sample, SampleJson documents, PhaseWatch phases) {
        files.add(sample);
        if (json) {
            documents.lines(sample).forEach(line -> JsonLine.print(System.out, line));
        } else {
            sample.devices().forEach(counters -> JsonLine.print(System.out, row(sample, counters, phases)));
        }
    }

    private String row(Sample sample, MemoryCounters counters, PhaseWatch phases) {
        return figures.map(seen -> seen.row(counters))
                .orElseGet(() -> WatchRow.of(sample, counters, windows.after(counters), phase(counters, phases)));
    }

    private String phase(MemoryCounters counters, PhaseWatch phases) {
        Optional<String> name =
                withPhases ? phases.innermost(counters.device()).map(NamedPhases.Phase::name) : Optional.empty();
        return name.orElseGet(() -> SampleJson.phase(counters.phases()));
    }

    /** The same sample for people. */
    private static final class WatchRow {
        static final String HEADER = String.format(
                "%-9s %12s %12s %12s %12s %-11s %12s %6s %5s %-8s %6s %s",
                "DEVICE",
                "RESERVED",
                "ALLOCATED",
                "GAP NOW",
                "GAP",
                "OF STEPS",
                "LIMIT",
                "FRAC",
                "OPT",
                "PHASE",
                "STEP",
                "LOST");

        static String of(Sample sample, MemoryCounters c, Optional<StepWindow> window, String phase) {
            return String.format(
                    "%-9s %12s %12s %12s %12s %-11s %12s %6.3f %5s %-8s %6d %d",
                    c.name(),
                    ByteSize.format(c.reservedBytes()),
                    ByteSize.format(c.allocatedBytes()),
                    ByteSize.format(c.gapNowBytes()),
                    window.map(w -> ByteSize.format(w.gap().bytes())).orElse("-"),
                    window.map(SampleJson::steps).orElse("-"),
                    ByteSize.format(c.limitBytes()),
                    c.fraction(),
                    c.optimisation() ? "on" : "off",
                    phase,
                    c.step(),
                    sample.lostEvents());
        }
    }
}
