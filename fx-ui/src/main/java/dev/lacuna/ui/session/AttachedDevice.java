package dev.lacuna.ui.session;

import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.time.Clock;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.SimpleIntegerProperty;

/**
 * One attached process, one of its devices: what the places that watch it have in common. Takes in every sample. UI thread
 * only; no toolkit.
 */
public abstract class AttachedDevice {
    private final Session session;
    private final Clock clock;
    private final IntegerProperty device = new SimpleIntegerProperty();
    private int usual;
    private Optional<Sample> latest = Optional.empty();
    private Optional<MemoryCounters> counters = Optional.empty();

    protected AttachedDevice(Session session, Clock clock) {
        this.session = session;
        this.clock = clock;
        session.addSampleListener(this::take);
        session.attachedProperty().addListener((property, before, now) -> {
            usual = now.flatMap(p -> p.devices().stream().findFirst())
                    .map(d -> d.index())
                    .orElse(0);
            device.set(usual);
            letGo();
        });
        device.addListener((property, before, now) -> letGo());
    }

    /** A sample has counters of the device that is shown. */
    protected abstract void add(Sample sample, MemoryCounters now);

    /** Every sample was taken in, whether or not it tells of the device. */
    protected void taken() {}

    /** Another process or device is shown from now on: nothing of the one before may stay. */
    protected abstract void forget();

    /** The attached process. */
    public final ReadOnlyObjectProperty<Optional<TrainingProcess>> processProperty() {
        return session.attachedProperty();
    }

    /** How fresh it is. */
    public final ReadOnlyObjectProperty<ConnectionState> connectionProperty() {
        return session.connectionProperty();
    }

    /** Whether the operator allowed this window to change the process. */
    public final ReadOnlyBooleanProperty controlAllowedProperty() {
        return session.controlAllowedProperty();
    }

    /** Number of the device that is shown: at first an accelerator, where the process has one. */
    public final IntegerProperty deviceProperty() {
        return device;
    }

    /** The devices of the process by number, accelerators first. */
    public final Map<Integer, DeviceName> devices() {
        Map<Integer, DeviceName> devices = new LinkedHashMap<>();
        latest.ifPresent(sample -> sample.devices().forEach(c -> devices.put(c.device(), c.name())));
        if (devices.isEmpty()) {
            session.attachedProperty().get().ifPresent(p -> p.devices().forEach(d -> devices.put(d.index(), d.name())));
        }
        return Collections.unmodifiableMap(devices);
    }

    /** The newest sample. */
    protected final Optional<Sample> latest() {
        return latest;
    }

    /** The newest counters of the device. */
    public final Optional<MemoryCounters> counters() {
        return counters;
    }

    /** Milliseconds since the newest sample was taken; empty before the first. */
    public final Optional<Long> ageMs() {
        return latest.map(sample -> Math.max(0, clock.millis() - sample.timeMs()));
    }

    /** Whether {@link #toggleControl} does anything: control is given up at any time, asked for only while it can be used. */
    public final boolean canToggleControl() {
        return session.controlAllowedProperty().get()
                || session.connectionProperty().get().reachable();
    }

    /** Asks for control, or gives it up. */
    public final void toggleControl() {
        if (!canToggleControl()) {
            return;
        }
        if (session.controlAllowedProperty().get()) {
            session.giveUpControl();
        } else {
            session.requestControl();
        }
    }

    private void take(Sample sample) {
        turnToAccelerator(sample);
        latest = Optional.of(sample);
        sample.devices().stream()
                .filter(c -> c.device() == device.get())
                .findFirst()
                .ifPresent(now -> {
                    counters = Optional.of(now);
                    add(sample, now);
                });
        taken();
    }

    /** A process may have tensors on the host before it has its first on an accelerator. Who chose the host keeps it. */
    private void turnToAccelerator(Sample sample) {
        boolean onHost = latest.stream()
                .flatMap(s -> s.devices().stream())
                .noneMatch(c -> c.name().isAccelerator());
        if (device.get() == usual && onHost && !sample.devices().isEmpty()) {
            MemoryCounters first = sample.devices().get(0);
            if (first.name().isAccelerator() && first.device() != usual) {
                usual = first.device();
                device.set(usual);
            }
        }
    }

    private void letGo() {
        latest = Optional.empty();
        counters = Optional.empty();
        forget();
    }
}
