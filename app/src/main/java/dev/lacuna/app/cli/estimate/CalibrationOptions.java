package dev.lacuna.app.cli.estimate;

import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.Calibration;
import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.Measured;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What an estimate is held against: a process that runs it, or figures that somebody measured. */
final class CalibrationOptions {
    private static final int MOST_FIGURES = 3;

    @Option(names = "--against", paramLabel = "PID", converter = ProcessIdConverter.class)
    private Optional<ProcessId> process = Optional.empty();

    @Option(names = "--measured", paramLabel = "ALLOCATED[,RESERVED[,OUTSIDE]]")
    private Optional<String> figures = Optional.empty();

    @Option(names = "--stage", paramLabel = "N")
    private Optional<Integer> stage = Optional.empty();

    /**
     * Why what was said makes no sense; empty where it does.
     *
     * @param recorded whether the estimate comes from a trace or a graph, which nothing is held against
     */
    Optional<String> fault(boolean recorded) {
        boolean asked = process.isPresent() || figures.isPresent();
        if (asked && recorded || process.isPresent() && figures.isPresent() || stage.isPresent() && !asked) {
            return Optional.of(CliText.text("estimate.against"));
        }
        return figures.isPresent() && read(figures.get()).isEmpty()
                ? Optional.of(CliText.text("estimate.measured", figures.get()))
                : Optional.empty();
    }

    /** The estimate of a stage beside what was measured; empty where nothing was asked for. */
    Optional<Calibration> of(EstimateInput input, Arguments overriding, Estimate estimate)
            throws RefusedException, BridgeException {
        Optional<Measured> measured =
                process.isPresent() ? Optional.of(ask(process.get())) : figures.flatMap(CalibrationOptions::read);
        if (measured.isEmpty()) {
            return Optional.empty();
        }
        int chosen = stage.orElse(estimate.binding().stage());
        if (chosen < 0 || chosen >= estimate.stages().size()) {
            throw new CommandFailure(
                    ExitStatus.INPUT,
                    CliText.text(
                            "estimate.stage", Integer.toString(estimate.stages().size() - 1)));
        }
        return Optional.of(Calibration.of(input, overriding, chosen, measured.get()));
    }

    private static Measured ask(ProcessId id) throws BridgeException {
        try (AttachedProcess attached = Bridge.processes().attach(id)) {
            return Measured.device(attached.sample().devices())
                    .map(Measured::of)
                    .orElseThrow(() ->
                            new BridgeException(BridgeException.Reason.UNREADABLE, CliText.text("blocks.device", id)));
        }
    }

    /** What is not said of the reserved is no more than the allocated. */
    private static Optional<Measured> read(String text) {
        try {
            long[] bytes = Arrays.stream(text.split(",", -1))
                    .mapToLong(ByteSize::parse)
                    .toArray();
            if (bytes.length > MOST_FIGURES) {
                return Optional.empty();
            }
            return Optional.of(
                    new Measured(bytes[0], bytes.length > 1 ? bytes[1] : bytes[0], bytes.length > 2 ? bytes[2] : 0));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
