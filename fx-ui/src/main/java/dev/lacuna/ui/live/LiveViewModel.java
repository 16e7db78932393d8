package dev.lacuna.ui.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.UiSettings;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.SimpleIntegerProperty;

/**
 * One attached process, one of its devices. Takes in every sample and answers what the view asks for at its own pace;
 * {@link #onChange} says when there is something new. UI thread only; no toolkit.
 */
public final class LiveViewModel {
    private final Session session;
    private final UiSettings settings;
    private final Clock clock;
    private final MemoryHistory history = new MemoryHistory();
    private final GapWatch gaps = new GapWatch();
    private final BeforeAfter comparison = new BeforeAfter();
    private final StepRate rate = new StepRate();
    private final EventFeed feed = new EventFeed();
    private final ControlModel control;
    private final IntegerProperty device = new SimpleIntegerProperty();
    private Optional<Sample> latest = Optional.empty();
    private Optional<MemoryCounters> counters = Optional.empty();
    private Runnable onChange = () -> {};

    public LiveViewModel(Session session, UiSettings settings, Clock clock) {
        this.session = session;
        this.settings = settings;
        this.clock = clock;
        this.control = new ControlModel(session, clock);
        session.addSampleListener(this::add);
        session.attachedProperty().addListener((property, before, now) -> {
            device.set(now.flatMap(p -> p.devices().stream().findFirst())
                    .map(d -> d.index())
                    .orElse(0));
            forget();
        });
        device.addListener((property, before, now) -> forget());
    }

    /** Calls this after every change of what the methods below answer. */
    public void onChange(Runnable action) {
        onChange = action;
    }

    /** The attached process. */
    public ReadOnlyObjectProperty<Optional<TrainingProcess>> processProperty() {
        return session.attachedProperty();
    }

    /** How fresh it is. */
    public ReadOnlyObjectProperty<ConnectionState> connectionProperty() {
        return session.connectionProperty();
    }

    /** Whether the operator allowed this window to change the process. */
    public ReadOnlyBooleanProperty controlAllowedProperty() {
        return session.controlAllowedProperty();
    }

    /** Index of the device that is shown. */
    public IntegerProperty deviceProperty() {
        return device;
    }

    /** The two settings. */
    public ControlModel control() {
        return control;
    }

    /** What the timeline is drawn from. */
    public MemoryHistory history() {
        return history;
    }

    /** The newest counters of the device. */
    public Optional<MemoryCounters> counters() {
        return counters;
    }

    /** Events that were lost since reading began. */
    public long lostEvents() {
        return latest.map(Sample::lostEvents).orElse(0L);
    }

    /** Milliseconds since the newest sample was taken; empty before the first. */
    public Optional<Long> ageMs() {
        return latest.map(sample -> Math.max(0, clock.millis() - sample.timeMs()));
    }

    /** Steps a second over the last moments; empty until two steps were seen. */
    public OptionalDouble stepsPerSecond() {
        return rate.perSecond();
    }

    /** What is to be said of the gap, if it is above the threshold of the settings. */
    public Optional<GapNotice> gapNotice() {
        return gaps.notice(settings.gapThresholdBytesProperty().get());
    }

    /** Steps with the optimisation off and on. */
    public BeforeAfter comparison() {
        return comparison;
    }

    /** The newest events. */
    public EventFeed feed() {
        return feed;
    }

    /** Whether {@link #toggleControl} does anything: control is given up at any time, asked for only while it can be used. */
    public boolean canToggleControl() {
        return session.controlAllowedProperty().get()
                || session.connectionProperty().get().reachable();
    }

    /** Asks for control, or gives it up. */
    public void toggleControl() {
        if (!canToggleControl()) {
            return;
        }
        if (session.controlAllowedProperty().get()) {
            session.giveUpControl();
        } else {
            session.requestControl();
        }
    }

    /** Whether the process is known to have run out of memory; empty before the first sample. */
    public Optional<Boolean> ranOutOfMemory() {
        return latest.map(sample -> sample.devices().stream().anyMatch(c -> c.ooms() > 0)
                || feed.newestFirst().stream().anyMatch(entry -> entry.kind() == FeedEntry.Kind.OOM));
    }

    /** Lets go of the process. */
    public void detach() {
        session.detach();
    }

    private void add(Sample sample) {
        latest = Optional.of(sample);
        sample.devices().stream()
                .filter(c -> c.device() == device.get())
                .findFirst()
                .ifPresent(now -> add(sample, now));
        onChange.run();
    }

    private void add(Sample sample, MemoryCounters now) {
        counters = Optional.of(now);
        history.add(sample, now);
        gaps.add(sample.monotonicNs(), now);
        comparison.add(now);
        rate.add(sample.monotonicNs(), now.step());
        feed.add(sample, now.device());
        control.observe(now);
    }

    private void forget() {
        latest = Optional.empty();
        counters = Optional.empty();
        history.clear();
        gaps.clear();
        comparison.clear();
        rate.clear();
        feed.clear();
        control.clear();
        onChange.run();
    }
}
