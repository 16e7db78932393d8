package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.diagnosis.model.Thresholds;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --threshold SIZE}: above what a gap is called fragmentation, as the window's settings say it. */
public final class ThresholdOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private Thresholds thresholds = Thresholds.DEFAULT;

    @Option(names = "--threshold", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private void setGapBytes(long bytes) {
        if (bytes < 0) {
            throw new ParameterException(spec.commandLine(), CliText.text("diagnose.threshold"));
        }
        thresholds = Thresholds.DEFAULT.withGapBytes(bytes);
    }

    /** What counts as much. */
    public Thresholds thresholds() {
        return thresholds;
    }
}
