package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether a remedy can be applied to the attached process now.
 *
 * @param button words of the button; empty where there is no point in showing one
 * @param possible whether the button can be pressed
 * @param reason why not, in one sentence; empty where the button says enough
 */
record ApplyOffer(String button, boolean possible, String reason) {
    private static final Texts TEXTS = Texts.of("diagnose");

    /** Sizes of one device as a driver and an agent report it; more apart than this, they are two devices. */
    private static final double SAME_SIZE = 0.05;

    /** Fractions are shown and set in hundredths. */
    private static final double SAME_FRACTION = 0.005;

    /**
     * The offer of this remedy for what is attached, as it was last heard of.
     *
     * @param printer the process that is known to have printed the log: nothing is offered to another
     */
    static ApplyOffer of(
            RemedyWords remedy,
            Optional<String> printer,
            Optional<TrainingProcess> attached,
            ConnectionState connection,
            Optional<Sample> latest) {
        if (remedy.change().isEmpty()) {
            return new ApplyOffer("", false, "");
        }
        if (attached.isEmpty()) {
            return printer.isPresent() ? new ApplyOffer(TEXTS.get("apply.none"), false, "") : hidden("");
        }
        TrainingProcess process = attached.get();
        if (!printer.equals(Optional.of(process.nameForGood()))) {
            return hidden(TEXTS.get("apply.why.foreign", process.id().toString()));
        }
        Change change = onUsualDevice(remedy.change().get(), process, latest);
        String pid = process.id().toString();
        OptionalLong size = size(change.device(), process, latest);
        if (isAnotherDevice(remedy.deviceBytes(), size)) {
            return hidden(TEXTS.get(
                    "apply.why.size",
                    ByteText.of(remedy.deviceBytes().getAsLong()),
                    pid,
                    ByteText.of(size.getAsLong())));
        }
        if (!connection.reachable()) {
            return disabled(pid, TEXTS.get(unreachable(connection), pid));
        }
        if (!process.control()) {
            return disabled(pid, TEXTS.get("apply.why.readOnly", pid));
        }
        boolean holds = latest.flatMap(sample -> counters(change.device(), sample))
                .filter(now -> holds(change, now))
                .isPresent();
        return holds ? hidden(TEXTS.get("apply.why.holds", pid)) : new ApplyOffer(TEXTS.get("apply.to", pid), true, "");
    }

    /** The change for the device that is meant where a log names none of the process's: its first accelerator, else its host. */
    static Change onUsualDevice(Change change, TrainingProcess process, Optional<Sample> latest) {
        return latest.flatMap(sample -> sample.devices().stream().findFirst())
                .map(MemoryCounters::device)
                .or(() -> process.devices().stream().findFirst().map(DeviceSummary::index))
                .map(change::on)
                .orElse(change);
    }

    private static ApplyOffer hidden(String reason) {
        return new ApplyOffer("", false, reason);
    }

    private static ApplyOffer disabled(String pid, String reason) {
        return new ApplyOffer(TEXTS.get("apply.to", pid), false, reason);
    }

    private static String unreachable(ConnectionState connection) {
        return switch (connection.kind()) {
            case GONE -> "apply.why.gone";
            case STOPPED -> "apply.why.stopped";
            default -> "apply.why.unreadable";
        };
    }

    private static boolean isAnotherDevice(OptionalLong computedFrom, OptionalLong size) {
        return computedFrom.isPresent()
                && size.isPresent()
                && Math.abs(computedFrom.getAsLong() - size.getAsLong()) > SAME_SIZE * size.getAsLong();
    }

    private static OptionalLong size(int device, TrainingProcess process, Optional<Sample> latest) {
        OptionalLong sampled = latest.flatMap(sample -> counters(device, sample)).stream()
                .mapToLong(MemoryCounters::totalBytes)
                .findFirst();
        return sampled.isPresent()
                ? sampled
                : process.devices().stream()
                        .filter(d -> d.index() == device)
                        .mapToLong(DeviceSummary::totalBytes)
                        .findFirst();
    }

    private static Optional<MemoryCounters> counters(int device, Sample sample) {
        return sample.devices().stream().filter(d -> d.device() == device).findFirst();
    }

    private static boolean holds(Change change, MemoryCounters now) {
        boolean switched =
                change.optimisation().map(on -> on == now.optimisation()).orElse(true);
        boolean capped = change.fraction().isEmpty()
                || Math.abs(change.fraction().getAsDouble() - now.fraction()) < SAME_FRACTION;
        return switched && capped;
    }
}
