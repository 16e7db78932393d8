package dev.lacuna.app.cli.snapshot;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.history.model.Recording;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** {@code --compare} and {@code --since}: what a recording is held against, another one or a moment of its own. */
final class Compared {
    @Option(names = "--compare", paramLabel = "B")
    private Optional<String> other = Optional.empty();

    @Option(names = "--since", paramLabel = "EVENT")
    private Optional<Integer> since = Optional.empty();

    /** Whether a comparison is asked for. */
    boolean isAsked() {
        return other.isPresent() || since.isPresent();
    }

    /** Why what was said beside makes no sense; empty where it does. */
    Optional<String> fault(ChosenMoment moment, boolean report, boolean tables) {
        if (!isAsked()) {
            return Optional.empty();
        }
        if (report) {
            return Optional.of(CliText.text("snapshot.report.compare"));
        }
        if (tables) {
            return Optional.of(CliText.text("snapshot.tables.compare"));
        }
        if (other.isPresent() && (since.isPresent() || moment.isGiven())) {
            return Optional.of(CliText.text("snapshot.since.compare"));
        }
        return since.orElse(0) < 0 || moment.isNegative()
                ? Optional.of(CliText.text("snapshot.since.negative"))
                : Optional.empty();
    }

    /** What came of it. */
    SnapshotComparison of(Recording recording, ChosenMoment moment, Function<String, Recording> reader) {
        return since.isPresent()
                ? SnapshotComparison.ofMoments(recording, moment, since.get())
                : SnapshotComparison.ofEnds(recording, reader.apply(other.orElseThrow()));
    }
}
