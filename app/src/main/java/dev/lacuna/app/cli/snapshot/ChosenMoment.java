package dev.lacuna.app.cli.snapshot;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code --at} and {@code --device}: which moment of a recording is looked at, and of which device. */
final class ChosenMoment {
    @Option(names = "--at", paramLabel = "EVENT")
    private Optional<Integer> at = Optional.empty();

    @Option(names = "--device", paramLabel = "N")
    private Optional<Integer> device = Optional.empty();

    /** Whether one of them was given. */
    boolean isGiven() {
        return at.isPresent() || device.isPresent();
    }

    /** Whether a moment before the beginning is asked for. */
    boolean isNegative() {
        return at.orElse(0) < 0;
    }

    /** The device that was asked for, else the one that holds most. */
    DeviceHistory history(Recording recording) {
        List<DeviceHistory> there =
                recording.devices().stream().filter(d -> !d.isEmpty()).toList();
        Optional<DeviceHistory> found = device.isPresent()
                ? there.stream().filter(d -> d.device() == device.get()).findFirst()
                : there.stream()
                        .max(Comparator.comparingLong(
                                (DeviceHistory d) -> d.figures().reservedBytes()));
        return found.orElseThrow(() -> new CommandFailure(
                ExitStatus.INPUT,
                CliText.text(
                        "snapshot.tables.device",
                        there.stream().map(d -> Integer.toString(d.device())).collect(Collectors.joining(", ")))));
    }

    /** The moment of it; the end unless one was given. */
    int of(DeviceHistory history) {
        return within(history, at.orElse(history.size()));
    }

    /** The moment after so many events, which there must be. */
    static int within(DeviceHistory history, int moment) {
        if (moment > history.size()) {
            throw new CommandFailure(
                    ExitStatus.INPUT, CliText.text("snapshot.tables.moment", Integer.toString(history.size())));
        }
        return moment;
    }
}
