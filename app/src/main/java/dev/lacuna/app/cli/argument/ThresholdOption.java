package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.settings.SettingsFile;
import dev.lacuna.core.diagnosis.model.Thresholds;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --threshold SIZE}: above what a gap is called fragmentation. Where it is not said the window's settings hold here too. */
public final class ThresholdOption {
    private final SettingsFile settings;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private Optional<Thresholds> thresholds = Optional.empty();

    /** With the settings of this user. */
    public ThresholdOption() {
        this(SettingsFile.ofThisUser());
    }

    ThresholdOption(SettingsFile settings) {
        this.settings = settings;
    }

    @Option(names = "--threshold", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private void setGapBytes(long bytes) {
        if (bytes < 0) {
            throw new ParameterException(spec.commandLine(), CliText.text("diagnose.threshold"));
        }
        thresholds = Optional.of(Thresholds.DEFAULT.withGapBytes(bytes));
    }

    /** What counts as much. */
    public Thresholds thresholds() {
        if (thresholds.isEmpty()) {
            thresholds = Optional.of(Thresholds.DEFAULT.withGapBytes(settings.gapThresholdBytes()));
        }
        return thresholds.get();
    }
}
